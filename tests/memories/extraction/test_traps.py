"""What must not be learnt: words that are not the person's own statements about themselves."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from memories.extraction.rules import Unstated, read_unstated
from memories.extraction.rules.by_rules import extract_by_rules
from memories.values import Candidate, Utterance
from memsite.values import MessageRole

AT = datetime(2025, 11, 21, 9, 30, tzinfo=UTC)


def learn(text: str, role: str = "user") -> list[Candidate]:
    return extract_by_rules([Utterance("message:1", MessageRole(role), text, AT)])


QUOTED = [
    'My boss said "I love Java and I live in Boston".',
    "> I prefer tabs over spaces",
    "```\nI live in Rome\n```",
    "Here's the email I got:\n\nMy name is Carl and I live in Denver.",
    "Anna wrote to me: I live in Vienna now.",
    "Proofread this:\nI am a nurse and I live in Cork.",
    "I has two sister and I am live in Rome.\n\nCorrect my grammar please",
    "User: I prefer tea\nAssistant: noted",
    "<email>\nI work at Acme\n</email>",
    "2025-01-02 10:00:00 INFO I use port 8080",
    "我老板说：“我最喜欢 Java，我住在北京。”",
    "客户发来的邮件如下：\n我在上海工作",
    "小王：我住在天津",
    "阿杰发短信说我换到财务部了。",
]
ASKED = [
    "Do I like tea?",
    "should i move to paris",
    "I live in Paris, right?",
    "I prefer Python, don't I?",
    "Did I say that I work at Tesla?",
    "我喜欢喝茶吗？",
    "我应该搬去深圳还是留在广州",
    "我住在重庆，对吧？",
    "我每天跑八公里多不多",
    "What is my dog's name?",
    "what's my wife's birthday",
    "whats my name",
    "my dog's name?",
    "name of my dog",
    "where do i live",
    "I live where?",
    "Do I have a dog",
    "Is Rex my dog",
    "What do you know about my dog?",
    "What is the capital of France?",
    "can you tell me what I'm allergic to",
    "tell me my daughter's birthday",
    "Remind me what my cat is called.",
    "i wonder what my dog's name is",
    "I was wondering if my sister still lives in Rome",
    "I forgot what my dog is called",
    "Remember this: what is my dog's name?",
    "In which city was my apartment?",
    "我的猫叫什么?",
    "我对什么过敏？",
    "你知道我住哪吗",
    "我老婆叫啥",
    "我住哪",
    "我在哪上班",
    "我多大了",
    "我女儿今年多大",
    "我家里有几口人",
    "我家狗子叫什么名字来着",
    "我有没有养狗",
    "我想知道我的猫叫什么",
    "告诉我我女儿的生日",
    "记住：我的猫叫什么？",
]
#: Greetings, thanks, and sentences that try a program out.
SMALL_TALK = [
    "hello",
    "Hi there!",
    "good morning",
    "Thanks a lot, that helped.",
    "ok",
    "test",
    "test test 123",
    "this is a test",
    "just testing",
    "hello world",
    "asdf",
    "asdfasdf",
    "aaaa",
    "你好",
    "早上好！",
    "谢谢你的帮助",
    "测试一下",
    "这是一条测试消息",
    "随便写写",
    "哈哈哈",
]
SUPPOSED = [
    "If I lived in Paris, I would eat croissants and I would work at the Louvre.",
    "I might move to Canada",
    "Suppose I have two kids. I earn $90,000.",
    "I wish I spoke Italian",
    "Maybe I'm allergic to nuts",
    "I think I'm allergic to nuts",
    "如果我住在巴黎，我每天都会去卢浮宫。",
    "要是我会弹钢琴就好了。",
    "我可能明年会去日本留学",
]
ORDERED = [
    "Write me a poem in which I live in Rome and love a baker.",
    "Translate into French: I work at a bakery and I hate mornings.",
    "Pretend you are a pirate. I am your captain and my name is Redbeard.",
    "Tell my landlord I'm moving out in June.",
    "帮我写一首诗，诗里我住在罗马。",
    "翻译成英文：我在银行工作，我讨厌早起。",
    "你来扮演国王，我是你的大臣，我叫诸葛亮。",
]
OTHERS = [
    "He prefers tea and she works at Amazon.",
    "My friend Tom thinks I should buy a Tesla.",
    "You told me that I live in Rome.",
    "According to my boss I live in the office.",
    "I live in Rome, he said.",
    "他喜欢喝咖啡，她在字节跳动工作。",
    "我朋友觉得我应该买特斯拉。",
]
FLEETING = [
    "Good morning! How are you?",
    "Thanks, that helped a lot.",
    "I'm so tired today",
    "I'm at the airport right now",
    "I love it!",
    "I like your second suggestion",
    "I have a question about pandas",
    "I want to sort this list by date",
    "I get a 404 when I open the page",
    "I created a new file called main.py",
    "I'm planning to refactor this function",
    "你好，在吗？",
    "我好累啊",
    "我喜欢你这个回答",
    "我想知道怎么学法语",
    "我写了一个函数叫foo",
    "我爱死这个功能了",
]
UNEARNEST = [
    "Oh great, I just love debugging at 3 am. /s",
    "I live on Mars. Just kidding!",
    "呵呵，我可真喜欢周末加班。",
]


@pytest.mark.parametrize("text", [*QUOTED, *ASKED, *SUPPOSED, *ORDERED, *OTHERS, *FLEETING, *UNEARNEST])
def test_nothing_is_learnt_from_what_is_no_own_statement(text: str) -> None:
    assert [candidate.content for candidate in learn(text)] == []


@pytest.mark.parametrize("role", ["assistant", "system", "tool"])
def test_only_the_user_is_learnt_from(role: str) -> None:
    assert learn("Remember that I live in Naples. I prefer vim.", role) == []


def test_statement_after_a_but_is_free_of_the_condition_before_it() -> None:
    learnt = learn("I wish I lived in Paris, but I live in Lyon")
    assert [candidate.object for candidate in learnt] == ["Lyon"]


def test_return_to_oneself_ends_the_fiction() -> None:
    learnt = learn("Write a story about a dragon. I am its rider. By the way, I'm allergic to nuts.")
    assert [candidate.object for candidate in learnt] == ["nuts"]


def test_request_before_a_statement_does_not_hide_it() -> None:
    assert [candidate.object for candidate in learn("Help me plan a trip, I live in Lyon")] == ["Lyon"]


def test_another_persons_fact_is_not_the_users() -> None:
    assert {candidate.subject for candidate in learn("My brother lives in Rome and loves opera")} == {
        "user's brother"
    }


@pytest.mark.parametrize(
    "said",
    [
        "Using this function caused an error",
        "用这个函数会导致错误",
        "I dropped the table users.",
        "I have replaced the string with an int",
        "I switched off the lights.",
        "I stopped the server.",
        "I swapped shifts with Bob.",
        "Docker can't run this.",
        "React needs a key here, right?",
        "Next time I will ask you.",
        "我把端口改成了 8443",
        "我遇到了一个问题",
        "他从腾讯离职了",
        "Docker 需要怎么配置？",
    ],
)
def test_step_of_a_task_is_no_change_and_no_experience(said: str) -> None:
    assert learn(said) == []


@pytest.mark.parametrize("text", ["下周我要去柏林开会，住三个晚上。", "我在那边住两天。", "我住了3个月。"])
def test_length_of_a_stay_is_no_place_to_live(text: str) -> None:
    assert "lives_in" not in {candidate.predicate for candidate in learn(text)}


@pytest.mark.parametrize(
    ("said", "wrong"),
    [
        ("I'm seeing Tom tomorrow about the car.", "dates"),
        ("小王的女儿对花生过敏。", "allergic_to"),
        ("花生我不能吃，会过敏。", "allergic_to"),
        ("跟我住的朋友叫阿杰。", "lives_in"),
        ("我妈在厨房做饭。", "works_at"),
    ],
)
def test_triple_that_the_words_do_not_say_is_not_learnt(said: str, wrong: str) -> None:
    learnt = extract_by_rules([Utterance("message:1", MessageRole.USER, said, AT)])
    assert wrong not in {one.predicate for one in learnt}


@pytest.mark.parametrize(
    "said",
    [
        "Dan and Eve broke up.",
        "A window seat for him, always.",
        "To me it looks fine.",
        "I believe the shop is too expensive for them.",
        "My uncle says the plumber is coming on Monday.",
        "Lisbon is where my aunt was born.",
        "女儿是爸爸的小棉袄。",
        "妈妈是世界上最伟大的人。",
        "儿子在写作业。",
        "老师的儿子在北京上大学。",
        "邻居家里买了新车。",
        "车是我哥的。",
        "最近喝酒的人越来越少。",
        "公司里都放在桌上就行。",
        "他们公司换成了钉钉。",
        "有人觉得榴莲很香。",
        "会议定在几点？",
    ],
)
def test_what_is_of_others_general_or_of_the_moment_is_not_learnt(said: str) -> None:
    assert extract_by_rules([Utterance("message:1", MessageRole.USER, said, AT)]) == []


def test_apology_is_not_taken_for_a_correction() -> None:
    (learnt,) = extract_by_rules(
        [Utterance("message:1", MessageRole.USER, "Sorry, I got the wrong bus.", AT)]
    )
    assert learnt.metadata == {}


@pytest.mark.parametrize("text", [*ASKED, *SMALL_TALK])
def test_question_or_small_talk_is_not_even_quoted(text: str) -> None:
    """A quotation may be kept if its sentence vector says that it lasts, or if it ends a memory."""
    utterance = Utterance("message:1", MessageRole.USER, text, AT)
    assert extract_by_rules([utterance], vague=True) == []


@pytest.mark.parametrize("text", ASKED)
def test_question_states_nothing(text: str) -> None:
    assert read_unstated(text) is Unstated.QUESTION


@pytest.mark.parametrize("text", SMALL_TALK)
def test_small_talk_states_nothing(text: str) -> None:
    assert read_unstated(text) is Unstated.SMALL_TALK


@pytest.mark.parametrize(
    ("text", "learnt"),
    [
        ("I'm vegan, what can I cook?", "The user is vegan."),
        ("im vegan what can i cook", "The user is vegan."),
        ("I'm allergic to nuts. What can I eat?", "The user is allergic to nuts."),
        ("Hello, I'm Anna. How are you?", "The user is Anna."),
        ("我是素食者，能做什么菜？", "用户是素食者。"),
        ("我对花生过敏，晚上吃什么好", "用户对花生过敏。"),
        ("你好，我叫王芳，你呢？", "用户叫王芳。"),
        ("记住我对花生过敏，好吗？", "用户对花生过敏。"),
        ("天哪，我对花生过敏", "用户对花生过敏。"),
        ("How do I get to my flat in Oslo?", "The user mentioned their flat in Oslo."),
        ("我的柯基能不能吃巧克力？", "用户提到自己的柯基。"),
        ("As a vegan, what can I cook?", "The user is a vegan."),
        ("作为一个素食者，去内蒙古能吃点啥？", "用户是素食者。"),
        ("Had my first solo exhibition in May.", "The user said: “Had my first solo exhibition in May.”"),
    ],
)
def test_message_that_asks_and_tells_gives_what_it_tells(text: str, learnt: str) -> None:
    assert [one.content for one in learn(text)] == [learnt]
    assert read_unstated(text) is None or "mentioned" in learnt or "提到" in learnt


@pytest.mark.parametrize("text", ["I have a test tomorrow.", "Write me a poem.", "无论去哪我都带着相机。"])
def test_statement_or_order_is_no_question(text: str) -> None:
    assert read_unstated(text) is None
