"""What a person states later ends or corrects what they stated before, in texts without a triple."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from uuid import UUID

import pytest

from memories.models import Memory
from memories.storage import list_active_memories
from memories.values import Candidate, Status
from memories.writing import write_candidates
from memories.writing.changes import Change, find_change, may_tell_of_change
from memories.writing.changes.states import gives_up
from memsite.accounts.models import User

BEGIN = datetime(2024, 2, 5, 12, tzinfo=UTC)

ENDED = [
    ("I live in Hereford, near the weir.", "We've moved to Ludlow, the removal van left an hour ago."),
    ("I rent a flat in Gdansk.", "Bought a cottage in Sopot and the sale went through."),
    ("我住在绍兴越城区。", "上个月搬到嘉兴了。"),
    ("I work as a welder at the shipyard.", "I got a job as a driving instructor."),
    ("I'm a nurse on the night shift.", "I retired on Friday."),
    ("我在一家超市当店长。", "我跳槽去物流公司了。"),
    ("I'm engaged to Teodora.", "Teodora and I got married in the registry office."),
    ("我单身。", "我谈恋爱了，她是我同事介绍的。"),
    ("My boyfriend Rafe is a drummer.", "Rafe and I split up in the spring."),
    ("我和男朋友志强住一起。", "我和志强分手了。"),
    ("I take the tram to work.", "I walk to work these days, it's only twenty minutes."),
    ("我每天坐地铁上班。", "我现在骑车上班。"),
    (
        "I play badminton at the leisure centre on Mondays.",
        "I've given up badminton, my shoulder had enough.",
    ),
    ("I have a subscription to Private Eye.", "I cancelled Private Eye in the end."),
    ("我在学吉他。", "吉他不学了，太费手指。"),
    ("My rabbit Thumper sleeps in the shed.", "Thumper passed away in his sleep."),
    ("My favourite colour is ochre.", "Teal is my favourite colour at last."),
    ("I like strong tea.", "I go for weak tea these days."),
    ("I hate olives.", "I love olives now."),
    ("My phone is a Nokia.", "I got a new phone, a Fairphone."),
    ("My rota is kept in Excel.", "We moved the rota to Airtable."),
    ("Keep your answers short please.", "From now on give me long, detailed answers."),
    ("以后回答短一点。", "回答请详细展开。"),
    ("The user said: “I sing in the Abbey Choir.”", "The user said: “I left the Abbey Choir at Easter.”"),
    ("用户在学二胡。", "用户说：“二胡不学了，太吵。”"),
    ("用户和小林订婚。", "用户说：“今天（2025年5月5日）跟小林领证了。”"),
    ("I share a room in a hostel, I'm living with a cousin.", "We've got our own flat now."),
    ("我和表弟合租。", "我终于买了房。"),
    ("我住在苏州。", "上个月我搬到常州了。"),
    ("I'm a junior surveyor.", "I've been promoted to surveyor."),
    ("I'm a second year student in Aberdeen.", "I graduated in June."),
    ("我在读博。", "我终于毕业了。"),
    ("My wife Odile keeps bees.", "Odile and I are divorced now."),
    ("我跟阿宁在交往。", "我和阿宁订婚了。"),
    ("I'm learning Welsh with an app.", "I've given up on Welsh."),
    ("我有一架旧钢琴。", "旧钢琴我卖了。"),
    ("我在学书法。", "书法我不学了。"),
    ("我办了游泳馆的月卡。", "游泳馆的卡我退了。"),
    ("我用石墨记账。", "我改用挖财记账了。"),
    ("We use Trac for tickets.", "Trac is gone, tickets are on paper."),
    ("I hate liquorice.", "I've grown to like liquorice."),
    ("我讨厌折耳根。", "我现在挺喜欢折耳根的。"),
    ("I have bell ringing on Mondays.", "Bell ringing is on Wednesdays now."),
    ("我每周二下午练毛笔字。", "毛笔字改到周六下午练了。"),
    ("我骑车上班。", "我改走路上班了。"),
    ("I'm allergic to figs.", "I've outgrown my fig allergy."),
    ("I do pilates at 8 am.", "My pilates is at 6 pm now."),
    ("我在洛阳租房。", "我已经搬离洛阳了。"),
    ("我没有男朋友。", "我找到男朋友了。"),
    ("I'm out of work.", "I got the job at the lighthouse."),
    ("我是小学语文老师。", "我不当老师了。"),
    ("我最爱看武侠。", "我现在最爱看科幻。"),
    ("我订了《读者》。", "《读者》我停订了。"),
    ("I'm in a chess club.", "The chess club folded."),
    ("I'm on a juice cleanse.", "I'm off the juice cleanse."),
    ("我有一台单反。", "单反被偷了。"),
    ("我在学插花课。", "插花课停办了。"),
]
BESIDE = [
    ("I like green tea.", "I like black coffee too."),
    ("I play chess on Sundays.", "I also play bridge on Fridays now."),
    ("My sister lives in Hereford.", "I moved to Ludlow."),
    ("I live in Hereford.", "My brother has moved to Ludlow."),
    ("My sister plays the harp.", "I gave up the harp."),
    ("I want to give up smoking.", "I gave up sugar."),
    ("I work as a welder.", "I work from home on Fridays now."),
    ("I went to the gym in Bath once.", "I've cancelled the gym."),
    ("I hate running.", "I stopped running last month."),
    ("My boyfriend Rafe is a drummer.", "My friends Ana and Luis split up."),
    ("我妹妹住在绍兴。", "我搬到嘉兴了。"),
    ("我喜欢喝茶。", "我现在也喜欢喝咖啡。"),
    ("I have a dog called Biscuit.", "We nearly died laughing at the dog."),
    ("I love white wine.", "I love red wine now."),
    ("I use Asana for the team.", "We moved the standup to Monday."),
    ("We automate everything with Jenkins.", "I switched to a new pair of scissors."),
    ("I use Blender for modelling.", "I use Krita for sketches now."),
    ("I have bell ringing on Mondays.", "I have archery on Wednesdays now."),
    ("I teach maths on Mondays.", "I teach on Fridays now."),
    ("我没有男朋友。", "我妹妹找到男朋友了。"),
    ("我每周二打乒乓球。", "我周六也打乒乓球了。"),
    ("I work for the harbour board.", "I got promoted to harbour master."),
    ("I'm a student in Aberdeen.", "My cousin graduated in June."),
    ("I'm allergic to figs.", "I've outgrown my egg allergy."),
    ("我在一家搬家公司上班。", "合伙人的公司注销了。"),
    ("我把车停在河边。", "我停了车。"),
    ("Answer in Greek.", "When I write in Czech, answer in Czech."),
    ("I'm a vegetarian.", "My son eats meat again."),
]  # fmt: skip
CORRECTED = [
    ("My dentist is in Wells.", "Sorry, my dentist is in Frome."),
    ("Dad's operation is on 3 May.", "No wait, dad's operation is on 13 May."),
    ("My employee number is 4471.", "Correction: employee number 4417."),
    ("我的座位是12排。", "说错了，座位是21排。"),
    ("我弟在无锡上学。", "不对，我弟在无棣上学。"),
    ("My train is on Monday.", "I said my train is on Monday but I meant Tuesday."),
    ("My aunt lives in Bath.", "I said my aunt lives in Bath but I meant Wells."),
    ("我住在苏州。", "之前说我住苏州，其实是杭州。"),
    ("我的座位是12排。", "我上次跟你说错了，座位是21排。"),
    ("My plumber is called Mr Ives.", "Correction: the plumber's name is Mr Eves."),
    ("我的房东姓陆。", "更正，房东姓卢。"),
    ("我的师傅姓陆。", "不好意思，师傅其实姓卢。"),
    ("My visa runs out in 2028.", "Actually my visa runs out in 2031."),
    ("我侄女八岁。", "其实我侄女九岁了。"),
    ("Our platform is 6.", "Actually our platform is 9, not 6."),
]
NOT_CORRECTED = [
    ("My dentist is in Wells.", "Sorry, my train is at nine."),
    ("Dad's operation is on 3 May.", "Sorry, the meeting is on 13 May."),
    ("我的座位是12排。", "说错了，会议是三点。"),
    ("I live in Leeds.", "I was wrong about Leeds, it's lovely."),
    ("I have two cats.", "Actually I like dogs."),
    ("我喜欢猫。", "其实我也喜欢狗。"),
    ("I have two cats.", "I told you I like cats, and I mean it."),
    ("My plumber is called Mr Ives.", "Correction: my roofer is called Mr Eves."),
]


@pytest.mark.parametrize(("older", "newer"), ENDED)
def test_a_statement_of_change_ends_the_state_before_it(older: str, newer: str) -> None:
    assert may_tell_of_change(newer)
    assert find_change(newer, older) is Change.ENDS


@pytest.mark.parametrize(("older", "newer"), BESIDE)
def test_statements_that_may_both_be_true_stay_beside_each_other(older: str, newer: str) -> None:
    assert find_change(newer, older) is Change.NONE


@pytest.mark.parametrize(("older", "newer"), CORRECTED)
def test_a_correction_replaces_the_value_it_repeats_the_words_of(older: str, newer: str) -> None:
    assert find_change(newer, older) is Change.CORRECTS


@pytest.mark.parametrize(("older", "newer"), NOT_CORRECTED)
def test_a_correction_of_something_else_changes_nothing(older: str, newer: str) -> None:
    assert find_change(newer, older) is Change.NONE


@pytest.mark.parametrize(
    ("goal", "said"),
    [
        ("I'm training for the marathon.", "I've dropped out of the marathon."),
        ("我在减肥。", "不减肥了，主食照吃。"),
    ],
)
def test_a_goal_is_over_when_it_is_given_up_by_name(goal: str, said: str) -> None:
    assert gives_up(said, goal)


@pytest.mark.parametrize(
    ("goal", "said"),
    [
        ("I'm training for the marathon.", "My brother gave up the marathon."),
        ("I want to give up smoking.", "I gave up sugar."),
    ],
)
def test_a_goal_outlasts_what_others_give_up_and_what_else_is_given_up(goal: str, said: str) -> None:
    assert not gives_up(said, goal)


def write(*texts: str, owner: UUID, days: int = 100) -> None:
    for number, text in enumerate(texts):
        at = BEGIN + timedelta(days=days * number)
        write_candidates([Candidate(text, occurred_at=at)], owner=owner, actor="test")


def write_vague(text: str, *, owner: UUID) -> str:
    vague = Candidate(text, occurred_at=BEGIN + timedelta(days=100), only_changes=True)
    return write_candidates([vague], owner=owner, actor="test").outcomes[0].action


def list_current(owner: UUID) -> list[str]:
    return list(list_active_memories(owner=owner).values_list("content", flat=True))


def test_a_fact_ends_where_the_statement_of_its_change_begins(alice: User) -> None:
    write("I take the tram to work.", "I walk to work these days.", owner=alice.pk)
    ended = Memory.objects.get(owner=alice, content="I take the tram to work.")
    assert list_current(alice.pk) == ["I walk to work these days."]
    assert (ended.status, ended.valid_until) == (Status.DEPRECATED, BEGIN + timedelta(days=100))


def test_a_correction_retires_what_was_said_some_days_before(alice: User) -> None:
    write("My employee number is 4471.", "Correction: employee number 4417.", owner=alice.pk, days=2)
    wrong = Memory.objects.get(owner=alice, content="My employee number is 4471.")
    assert wrong.retired_at is not None
    assert list_current(alice.pk) == ["Correction: employee number 4417."]


def test_a_correction_leaves_what_was_said_months_before(alice: User) -> None:
    write("My employee number is 4471.", "Correction: employee number 4417.", owner=alice.pk)
    assert len(list_current(alice.pk)) == 2


def test_a_change_ends_earlier_facts_of_its_own_batch(alice: User) -> None:
    texts = ("I play squash on Mondays.", "I gave up squash.")
    facts = [Candidate(text, occurred_at=BEGIN + timedelta(days=day)) for day, text in enumerate(texts)]
    write_candidates(facts, owner=alice.pk, actor="test")
    assert list_current(alice.pk) == ["I gave up squash."]


def test_nothing_of_another_person_ends(alice: User, bob: User) -> None:
    write("I take the tram to work.", owner=bob.pk)
    write("I walk to work these days.", owner=alice.pk)
    assert list_current(bob.pk) == ["I take the tram to work."]


def test_a_marked_correction_retires_what_it_corrects_although_its_words_do_not_say_so(alice: User) -> None:
    write("我女儿上二年级。", owner=alice.pk)
    corrected = Candidate(
        "用户的女儿上三年级。", occurred_at=BEGIN + timedelta(days=1), metadata={"correction": True}
    )
    write_candidates([corrected], owner=alice.pk, actor="test")
    assert list_current(alice.pk) == ["用户的女儿上三年级。"]


def test_a_vague_statement_is_written_if_it_ends_a_memory(alice: User) -> None:
    write("I play squash on Mondays.", owner=alice.pk)
    assert write_vague("The user said: “Gave up squash.”", owner=alice.pk) == "superseded"
    assert list_current(alice.pk) == ["The user said: “Gave up squash.”"]


@pytest.mark.parametrize("text", ["The user said: “I gave up squash.”", "The user said: “It is late.”"])
def test_a_vague_statement_that_ends_nothing_is_not_written(alice: User, text: str) -> None:
    write("I play the harp on Mondays.", owner=alice.pk)
    assert write_vague(text, owner=alice.pk) == "refused"
    assert list_current(alice.pk) == ["I play the harp on Mondays."]


def test_a_temporary_state_is_over_when_its_words_say(alice: User) -> None:
    write("I'm in Bilbao until Sunday for a trade fair.", owner=alice.pk)
    memory = Memory.objects.get(owner=alice)
    assert memory.valid_until == datetime(2024, 2, 12, tzinfo=UTC)
    assert memory.status == Status.DEPRECATED


@pytest.mark.parametrize("text", ["我" + "刚" * 60, "少" * 60, "从" * 60, "给我" * 30 + "回答"])
def test_a_statement_that_repeats_one_word_is_compared_at_once(text: str) -> None:
    assert find_change(text, "我在谷歌工作。") == find_change("下雨了。", "我在谷歌工作。")
