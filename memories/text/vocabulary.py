"""Word lists of English and Chinese words that carry no content of their own."""

from __future__ import annotations

from typing import Final

_STOP_WORDS: Final = """
    a about above after again against all also am an and any are aren as at be because been before being
    below between both but by can cannot could couldn did didn do does doesn doing don down during each else
    few for from further had hadn has hasn have haven having he her here hers herself him himself his how i
    if in into is isn it its itself just let ll may me might more most must mustn my myself no nor not of
    off on once only or other our ours ourselves out over own re same shall shan she should shouldn so some
    such than that the their theirs them themselves then there these they this those through to too under
    until up upon us ve very was wasn we were weren what when where whether which while who whom whose why
    will with won would wouldn you your yours yourself yourselves
"""
#: English function words, in lower case and without the part after an apostrophe.
STOP_WORDS: Final = frozenset(_STOP_WORDS.split())

#: What may follow an apostrophe in an English contraction or possessive.
CLITICS: Final = frozenset({"s", "t", "re", "ve", "ll", "d", "m"})

#: Chinese characters that seldom carry content alone.
STOP_CHARACTERS: Final = frozenset(
    "上下里中外前后会能要时的了吗呢吧啊呀嘛么着过是在有和与及就都也很还又被把给让我你您他她它们这那个些不没什谁哪怎几之其而则且或但因为所以于从到对向"
)

_STOP_BIGRAMS: Final = """
    什么 哪里 哪儿 哪个 哪些 怎么 怎样 为何 多少 几个 是否 如何 有没 没有 是不 不是 可以 能否 一个 一下 一些
    的时 时候 现在 请问 知道 告诉 还是 或者 以及 因为 所以 但是 如果 已经 曾经 叫什
"""
#: Chinese interrogatives and fillers of two characters.
STOP_BIGRAMS: Final = frozenset(_STOP_BIGRAMS.split())

#: Irregular English forms that no stemmer maps to one stem, base form first. `lives` and `leaves` are left
#: out: in memories they are verbs ("lives in", "leaves at 8") more often than plurals.
_IRREGULAR_FORMS: Final = """
    go went gone goes | buy bought | meet met | get got gotten | run ran | write wrote written | break
    broke broken | take took taken | give gave given | see saw seen | come came | find found | make made
    | tell told | think thought | feel felt | leave left | bring brought | begin began begun | know knew
    known | grow grew grown | fly flew flown | drive drove driven | ride rode ridden | speak spoke
    spoken | choose chose chosen | eat ate eaten | fall fell fallen | wear wore worn | win won | lose
    lost | teach taught | catch caught | sell sold | send sent | spend spent | build built | lend lent |
    sing sang sung | swim swam swum | drink drank drunk | draw drew drawn | throw threw thrown | steal
    stole stolen | wake woke woken | sleep slept | keep kept | hold held | stand stood | understand
    understood | hear heard | sit sat | lead led | pay paid | say said | hide hid hidden | bite bit
    bitten | shoot shot | fight fought | seek sought | stick stuck | hang hung | forget forgot forgotten
    | become became | child children | man men | woman women | person people | foot feet | tooth teeth |
    mouse mice | wife wives | knife knives | shelf shelves | good better best
    | bad worse worst | happy happier happiest | healthy healthier healthiest | easy easier easiest |
    big bigger biggest | shake shook shaken | freeze froze frozen | blow blew blown | tear tore torn |
    swear swore sworn | ring rang rung | sink sank sunk | spring sprang sprung | dig dug | feed fed |
    breed bred | bleed bled | light lit | slide slid | weep wept | sweep swept | creep crept | deal
    dealt | mean meant | dream dreamt | learn learnt | burn burnt | spell spelt | bend bent | kneel
    knelt | lay laid | lie lain | rise rose risen | arise arose arisen | strike struck | bind bound |
    wind wound | grind ground | shine shone | weave wove woven | forgive forgave forgiven
"""
#: Irregular form → base.
IRREGULAR: Final = {
    form: base for base, *forms in map(str.split, _IRREGULAR_FORMS.split("|")) for form in forms
}
