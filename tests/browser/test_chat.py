"""The chat in a browser: a reply while it is written, two tabs, lost connections, keys, drafts.

The site is served by its own ASGI application, because streams need it.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator

import pytest
import uvicorn
from django.core.wsgi import get_wsgi_application
from playwright.sync_api import Browser, Page, expect
from pytest_django import Settings

from memories.values import Candidate
from memories.writing.pipeline import write_candidates
from memsite.accounts.models import User
from memsite.serving.streaming import ThreadedApplication
from memsite.values import MessageRole
from tests.browser.conftest import PASSWORD
from tests.llm_server import Exchange, LLMServer, stream
from tests.llm_wire import events
from threads.messages.incoming import NewMessage
from threads.messages.transcript import append_messages, create_thread
from threads.models import Message, Thread
from threads.replies import detaching
from threads.visibility.provenance import make_reference

pytestmark = [pytest.mark.browser]
Open = Callable[[str], Page]


@pytest.fixture
def site(transactional_db: None, settings: Settings) -> Iterator[str]:
    """The address of the site, served by ASGI."""
    settings.WHITENOISE_USE_FINDERS = True
    settings.ALLOWED_HOSTS = ["*"]
    application = ThreadedApplication(get_wsgi_application(), threads=4, longest=1_000_000)
    server = uvicorn.Server(uvicorn.Config(application, port=0, lifespan="off", log_config=None))
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    while not server.started:
        time.sleep(0.02)
    yield f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}"
    until = time.monotonic() + 10
    while detaching.reading_tasks and time.monotonic() < until:  # replies go on when their page is closed
        time.sleep(0.02)
    server.force_exit = server.should_exit = True
    thread.join(5)


@pytest.fixture
def open_page(chromium: Browser, site: str, person: User) -> Iterator[Open]:
    """Open pages in tabs of one signed-in browser; their consoles must stay empty."""
    context = chromium.new_context(locale="en-GB", permissions=["clipboard-read", "clipboard-write"])
    context.set_default_timeout(15_000)
    complaints: list[str] = []

    def open_tab(path: str) -> Page:
        page = context.new_page()
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.goto(site + path)
        return page

    first = open_tab("/accounts/login/")
    first.fill("[name=login]", "alice")
    first.fill("[name=password]", PASSWORD)
    first.press("[name=password]", "Enter")
    first.wait_for_url(f"{site}/")
    first.close()
    yield open_tab
    context.close()
    assert complaints == []


class Held:
    """A model that streams its pieces one by one, each when the test lets it."""

    def __init__(self, *pieces: str) -> None:
        self.pieces = pieces
        self.gates = [threading.Event() for _ in pieces]

    def let(self, count: int) -> None:
        for gate in self.gates[:count]:
            gate.set()

    def __call__(self, exchange: Exchange) -> None:
        exchange.start(kind="text/event-stream")
        for event, gate in zip(
            events(exchange.request.body, self.pieces, None, None), self.gates, strict=False
        ):
            gate.wait(15)
            exchange.write(event)
        exchange.closing.wait(15)


def say(page: Page, text: str) -> None:
    page.get_by_label("Your message").fill(text)
    page.keyboard.press("Enter")


@pytest.fixture
def thread(person: User) -> Thread:
    made = create_thread(owner=person.pk, title="Bridges")
    append_messages(made.pk, [NewMessage(role=MessageRole.USER, content="Which bridge?")], owner=person.pk)
    append_messages(
        made.pk, [NewMessage(role=MessageRole.ASSISTANT, content="The old one.")], owner=person.pk
    )
    return made


def test_a_reply_appears_while_it_is_written_and_stops_where_it_is(
    open_page: Open, models_configured: LLMServer
) -> None:
    held = Held("The *old*", " bridge.\n\n", "And then")
    models_configured.always(held)
    page = open_page("/threads/new/")
    say(page, "Which one?")
    expect(page.locator(".is-user .message-words")).to_have_text("Which one?")
    held.let(1)
    expect(page.locator(".is-draft")).to_contain_text("The *old*")
    held.let(3)
    expect(page.locator(".is-draft em")).to_have_text("old")
    expect(page.locator(".is-draft [data-tail]")).to_have_text("And then")
    page.locator("#stop").click()
    expect(page.locator(".message-note")).to_contain_text("You stopped it here.")
    expect(page).to_have_title("Which one? · Memsite")
    expect(page.locator(".thread-item")).to_contain_text("Which one?")
    assert Message.objects.filter(role="assistant", content="The *old* bridge.\n\nAnd then").exists()


def test_two_tabs_show_the_same(open_page: Open, thread: Thread, models_configured: LLMServer) -> None:
    held = Held("One. ", "Two.")
    models_configured.always(held)
    first, second = (open_page(f"/threads/{thread.pk}/") for _ in range(2))
    say(first, "And now?")
    expect(second.locator(".is-user").last).to_contain_text("And now?")
    held.let(1)
    expect(second.locator(".is-draft")).to_contain_text("One.")
    held.let(2)
    expect(second.locator(".is-draft")).to_contain_text("Two.")
    second.locator("#stop").click()
    for page in (first, second):
        expect(page.locator(".message-note")).to_contain_text("You stopped it here.")
        expect(page.locator(".message")).to_have_count(4)


def test_what_a_message_taught_appears_beneath_it(open_page: Open, thread: Thread, person: User) -> None:
    page = open_page(f"/threads/{thread.pk}/")
    source = make_reference(Message.objects.filter(thread=thread).earliest("id").pk)
    write_candidates([Candidate("Inspects bridges.", sources=(source,))], owner=person.pk, actor="learning")
    line = page.locator(".learnt-line")
    expect(line).to_contain_text("Inspects bridges.")
    line.get_by_role("button", name="Undo").click()
    expect(page.locator(".notice")).to_contain_text("Undone.")
    expect(line).to_have_count(0)


def test_a_lost_connection_loses_nothing_that_was_typed(
    open_page: Open, thread: Thread, models_configured: LLMServer
) -> None:
    models_configured.always(stream("Here I am."))
    page = open_page(f"/threads/{thread.pk}/")
    page.context.set_offline(True)
    say(page, "Are you there?")
    expect(page.locator("#dock-error")).to_contain_text("cannot be reached")
    expect(page.get_by_label("Your message")).to_have_value("Are you there?")
    page.context.set_offline(False)
    page.get_by_role("button", name="Try again").click()
    expect(page.locator(".message").last).to_contain_text("Here I am.")
    expect(page.get_by_label("Your message")).to_have_value("")
    assert Message.objects.filter(thread=thread, content="Are you there?").count() == 1


def test_keys_of_the_field(open_page: Open, thread: Thread) -> None:
    page = open_page(f"/threads/{thread.pk}/")
    field = page.get_by_label("Your message")
    expect(field).to_be_focused()
    page.keyboard.type("一")
    field.evaluate(
        "(at) => at.dispatchEvent(new KeyboardEvent('keydown',"
        " { key: 'Enter', isComposing: true, bubbles: true, cancelable: true }))"
    )
    page.keyboard.press("Shift+Enter")
    page.keyboard.type("二")
    expect(field).to_have_value("一\n二")
    page.keyboard.press("Enter")
    expect(page.locator(".is-user .message-words").last).to_have_text("一\n二", use_inner_text=True)


def test_a_draft_is_there_after_a_reload_but_not_of_a_temporary_thread(open_page: Open) -> None:
    page = open_page("/threads/new/")
    page.get_by_label("Your message").fill("A long thought")
    page.reload()
    expect(page.get_by_label("Your message")).to_have_value("A long thought")
    page.keyboard.press("Alt+t")
    expect(page.get_by_label("Temporary")).to_be_checked()
    page.reload()
    expect(page.get_by_label("Your message")).to_have_value("")


def test_what_is_typed_during_the_first_reply_is_there_after_a_reload(
    open_page: Open, models_configured: LLMServer
) -> None:
    held = Held("One. ", "Two.")
    models_configured.always(held)
    page = open_page("/threads/new/")
    say(page, "Which one?")
    held.let(1)
    expect(page.locator(".is-draft")).to_contain_text("One.")
    page.get_by_label("Your message").fill("A second thought")
    page.reload()
    expect(page.get_by_label("Your message")).to_have_value("A second thought")
    held.let(2)
    page.goto(page.url.partition("/threads/")[0] + "/threads/new/")
    expect(page.get_by_label("Your message")).to_have_value("")


def test_a_message_is_edited_and_the_other_line_is_one_press_away(
    open_page: Open, models_configured: LLMServer
) -> None:
    models_configured.reply = lambda request: f"Re: {request.messages[-1]['content']}"
    page = open_page("/threads/new/")
    say(page, "I row.")
    expect(page.locator(".is-assistant:not(.is-draft)")).to_contain_text("Re: I row.")
    page.locator(".is-user").hover()
    page.get_by_role("link", name="Edit").click()
    page.locator("#edit-content").fill("I sail.")
    page.keyboard.press("Enter")
    expect(page.locator(".is-assistant:not(.is-draft)")).to_have_count(1)
    expect(page.locator(".is-assistant:not(.is-draft)")).to_contain_text("Re: I sail.")
    expect(page.get_by_label("Your message")).to_be_focused()
    page.get_by_role("button", name="The branch before").click()
    expect(page.locator(".is-user .message-words")).to_have_text("I row.")


def test_the_text_of_an_answer_is_copied_as_it_was_written(
    open_page: Open, thread: Thread, person: User
) -> None:
    append_messages(
        thread.pk, [NewMessage(role=MessageRole.ASSISTANT, content="**Old** `x`")], owner=person.pk
    )
    page = open_page(f"/threads/{thread.pk}/")
    page.locator(".message").last.get_by_role("button", name="Copy").click()
    expect(page.locator("#announcer")).to_have_text("Copied")
    assert page.evaluate("navigator.clipboard.readText()") == "**Old** `x`"


def test_threads_are_found_by_what_was_said(open_page: Open, thread: Thread, person: User) -> None:
    create_thread(owner=person.pk, title="Sailing")
    page = open_page("/threads/")
    expect(page.locator(".thread-item")).to_have_count(2)
    page.get_by_label("Search your threads").fill("old one")
    expect(page.locator(".thread-item")).to_have_count(1)
    expect(page.locator(".thread-snippet")).to_contain_text("The old one.")


def test_the_list_of_threads_opens_at_its_beginning_on_a_phone(open_page: Open, person: User) -> None:
    for number in range(20):
        create_thread(owner=person.pk, title=f"Bridge {number}")
    page = open_page("/")
    page.set_viewport_size({"width": 390, "height": 700})
    page.locator(".side").get_by_role("link", name="Threads").click()
    expect(page.locator(".thread-item")).to_have_count(20)
    page.wait_for_load_state("load")
    assert page.evaluate("document.documentElement.scrollHeight > innerHeight")
    expect(page.get_by_label("Search your threads")).to_be_in_viewport()
    assert page.evaluate("scrollY") == 0


def test_a_temporary_thread_promises_no_memory(open_page: Open) -> None:
    page = open_page("/threads/new/")
    expect(page.locator(".welcome")).to_contain_text("is remembered for other threads", use_inner_text=True)
    page.keyboard.press("Alt+t")
    expect(page.locator(".welcome")).to_contain_text("No other thread learns of it.", use_inner_text=True)
    expect(page.get_by_text("is remembered for other threads")).to_be_hidden()
