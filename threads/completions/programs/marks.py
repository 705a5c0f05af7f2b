"""The marks by which the texts of programs are recognised: the one place for those of all programs. Data.

Marks that are compared are in lower case; those of side requests (`TASKS`, `CLOSINGS`) and the beginnings of
`WRAPPERS` with single spaces. What is cut off is found by the program's own letters.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from memsite.values import TextEnum


class Task(TextEnum):
    """The purpose of a side request, by Open WebUI's names where it has one."""

    TITLE = "title_generation"
    FOLLOW_UPS = "follow_up_generation"
    TAGS = "tags_generation"
    EMOJI = "emoji_generation"
    QUERIES = "query_generation"
    IMAGE_PROMPT = "image_prompt_generation"
    AUTOCOMPLETE = "autocomplete_generation"
    FUNCTION_CALL = "function_calling"
    MERGE = "moa_response_generation"
    MEMORY_REVIEW = "memory_review"
    COMPACTION = "context_compaction"
    COMMIT_MESSAGE = "commit_message"
    PLAN = "planning"


@dataclass(frozen=True, slots=True)
class TaskMark:
    """The marks of one task's request, whose only message besides system texts is a user's.

    Attributes:
        beginning: How the user's text begins, or the system's if `is_system`.
        marks: One of these is in the user's text. None for a system text that is enough by itself: the
            messages after it are the conversation.
        field: A text that is in the user's text, too: the field of the answer's JSON that the program reads.
            It stays the same while programs change their words.
        may_stream: Whether the program streams this task.
    """

    task: Task
    beginning: str
    marks: tuple[str, ...] = ()
    field: str = ""
    is_system: bool = False
    may_stream: bool = False


@dataclass(frozen=True, slots=True)
class ClosingMark:
    """A sentence that a program sends after the whole conversation.

    Attributes:
        beginning: How the last message begins.
        is_system: Whether only a system message is meant.
        may_stream: Whether the program streams this task.
    """

    task: Task
    beginning: str
    is_system: bool = False
    may_stream: bool = False


@dataclass(frozen=True, slots=True)
class Wrapper:
    """A text before a person's words in the same message.

    Attributes:
        beginning: How the message begins.
        end: What the person's words follow. If the message does not begin with it, its last place counts.
        quotes: What may stand around the person's words.
    """

    beginning: str
    end: str
    quotes: tuple[str, str] = ("", "")


@dataclass(frozen=True, slots=True)
class Appended:
    """A text after a person's words in the same message.

    Attributes:
        beginning: How it begins.
        then: How it goes on after white space.
        end: How the message ends.
    """

    beginning: str
    then: str = ""
    end: str = ""


@dataclass(frozen=True, slots=True)
class MessageMark:
    """The marks of a message that a program wrote from beginning to end.

    Attributes:
        beginnings: How it may begin.
        ends: How it may end.
        mark: What is in it, too.
    """

    beginnings: tuple[str, ...]
    ends: tuple[str, ...] = ("",)
    mark: str = ""


def _by_system_text(task: Task, beginning: str) -> TaskMark:
    return TaskMark(task, beginning, is_system=True, may_stream=True)


_OPEN_WEBUI_TASK: Final = "### task:"
_OPEN_WEBUI_HISTORY: Final = ("### chat history:", "<chat_history>")
#: How Open WebUI's wrapper around retrieved documents begins. It begins like a task.
RAG_BEGINNING: Final = "### task: respond to the user query using the provided context"
CHOOSES_TOOLS: Final = (
    "your task is to choose and return the correct tool(s) from the list of available tools"
)

TASKS: Final = (
    # Open WebUI
    TaskMark(Task.TITLE, _OPEN_WEBUI_TASK, _OPEN_WEBUI_HISTORY, '"title"'),
    TaskMark(Task.FOLLOW_UPS, _OPEN_WEBUI_TASK, _OPEN_WEBUI_HISTORY, '"follow_ups"'),
    TaskMark(Task.TAGS, _OPEN_WEBUI_TASK, _OPEN_WEBUI_HISTORY, '"tags"'),
    TaskMark(Task.QUERIES, _OPEN_WEBUI_TASK, _OPEN_WEBUI_HISTORY, '"queries"'),
    TaskMark(Task.IMAGE_PROMPT, _OPEN_WEBUI_TASK, _OPEN_WEBUI_HISTORY, '"prompt"'),
    TaskMark(Task.AUTOCOMPLETE, "### task: you are an autocompletion system", _OPEN_WEBUI_HISTORY),
    TaskMark(
        Task.EMOJI, "your task is to reflect the speaker's likely facial expression", ("message: ```", '"""')
    ),
    TaskMark(
        Task.MERGE,
        "you have been provided with a set of responses from various models",
        ("responses from models:",),
        may_stream=True,
    ),
    TaskMark(
        Task.COMPACTION,
        "### task: summarize the conversation history that will be compacted",
        ("### messages being compacted", *_OPEN_WEBUI_HISTORY),
    ),
    TaskMark(
        Task.COMPACTION,
        "you must summarize the conversation history that will be compacted",
        ("### messages being compacted",),
    ),
    TaskMark(
        Task.MEMORY_REVIEW, "you are open webui's private memory reviewer", ("conversation:",), is_system=True
    ),
    TaskMark(Task.FUNCTION_CALL, "available tools:", ("query: history:", "history:"), is_system=True),
    # Its versions whose titles are no JSON
    TaskMark(Task.TITLE, "### task: generate a concise, 3-5 word title", _OPEN_WEBUI_HISTORY),
    TaskMark(Task.TITLE, "create a concise, 3-5 word title", _OPEN_WEBUI_HISTORY),
    # LibreChat
    TaskMark(
        Task.TITLE,
        "provide a concise, 5-word-or-less title for the conversation, using title case conventions",
        ("conversation:",),
    ),
    TaskMark(
        Task.TITLE,
        "analyze this conversation and provide: 1. the detected language of the conversation 2. a concise",
        ("user:", "ai:"),
    ),
    # LobeChat
    TaskMark(
        Task.TITLE,
        "you are a professional conversation summarizer. generate a concise title",
        ("user:", "assistant:", "<user>", "<assistant>"),
        is_system=True,
        may_stream=True,
    ),
    # LobeChat and Cherry Studio in Chinese, and Cherry Studio's present one
    _by_system_text(Task.TITLE, "你是一名擅长会话的助理，你需要将用户的会话总结为"),
    _by_system_text(Task.TITLE, "总结给出的会话，将其总结为语言为"),
    # opencode
    _by_system_text(Task.TITLE, "you are a title generator. you output only a thread title"),
    _by_system_text(Task.COMPACTION, "you are a context summarization agent. you are given"),
    _by_system_text(
        Task.COMPACTION, "summarize what was done in this conversation. write like a pull request"
    ),
    # aider
    _by_system_text(
        Task.COMMIT_MESSAGE,
        "you are an expert software engineer that generates concise, one-line git commit messages",
    ),
    _by_system_text(Task.COMPACTION, "*briefly* summarize this partial conversation about programming"),
    # smolagents
    TaskMark(
        Task.PLAN,
        "you are a world expert at analyzing a situation to derive facts, and plan accordingly",
        ("here is your task:",),
        may_stream=True,
    ),
)

#: Also sent as the system text before the conversation.
SILLY_TAVERN: Final = (
    "ignore previous instructions. summarize the most important facts and events in the story so far"
)
CLOSINGS: Final = (
    ClosingMark(Task.COMPACTION, SILLY_TAVERN),
    # NextChat
    ClosingMark(Task.TITLE, "使用四到五个字直接返回这句话的简要主题，不要解释", may_stream=True),
    ClosingMark(
        Task.TITLE,
        "please generate a four to five word title summarizing our conversation without any lead-in",
        may_stream=True,
    ),
    ClosingMark(
        Task.COMPACTION, "简要总结一下对话内容，用作后续的上下文提示", is_system=True, may_stream=True
    ),
    ClosingMark(
        Task.COMPACTION,
        "summarize the discussion briefly in 200 words or less to use as a prompt for future context",
        is_system=True,
        may_stream=True,
    ),
    # Codex
    ClosingMark(Task.COMPACTION, "you are performing a context checkpoint compaction", may_stream=True),
)

WRAPPERS: Final = (
    Wrapper(RAG_BEGINNING, "</context>", ("<user_query>", "</user_query>")),
    Wrapper("new task:", "New task:\n"),  # smolagents
)
APPENDED: Final = (
    # Open WebUI's code interpreter
    Appended("#### Tools Available", "1. **Code Interpreter**"),
    Appended("#### Code Interpreter", "You have access to a Python code interpreter"),
    # aider, by the form of its edits
    Appended("# *SEARCH/REPLACE block* Rules:", "Every *SEARCH/REPLACE block* must"),
    Appended("# File editing rules:", "Return edits similar to unified diffs"),
    Appended("# V4A Diff Format Rules:", "Your entire response containing the patch MUST"),
    Appended(
        "To suggest changes to a file you MUST return the entire content of the updated file.",
        "You MUST use this *file listing* format:",
    ),
    # opencode, and others
    Appended("<system-reminder>", end="</system-reminder>"),
)
#: smolagents: how an answer begins that is the text of its calls of tools, and what names each call.
WRITTEN_CALLS: Final = "Calling tools:\n["
WRITTEN_CALL: Final = re.compile(
    r"\{'id': '([^']{1,255})', 'type': 'function', 'function': \{'name': '([^']{1,255})'"
)
#: aider: all before this message are examples.
EXAMPLES: Final = "i switched to a new code base. please don't consider the above files"
_CODEX_TAGS: Final = (
    *("environment_context", "instructions", "user_instructions", "user_shell_command"),
    *("skill", "subagent_notification", "turn_aborted"),
)
MESSAGES: Final = (
    # Codex, which puts several of these into one message
    MessageMark(
        ("# agents.md instructions", *(f"<{tag}>" for tag in _CODEX_TAGS)),
        tuple(f"</{tag}>" for tag in _CODEX_TAGS),
    ),
    MessageMark(("another language model started to solve this problem and produced a summary",)),
    # smolagents
    MessageMark(("calling tools:\n[", "observation:\n")),
    MessageMark(("error:\n", "call id: "), mark="now let's retry: take care not to repeat previous errors!"),
    MessageMark(("now proceed and carry out this plan.",), ("carry out this plan.",)),
    # aider
    MessageMark(
        (
            EXAMPLES,
            "here are summaries of some files present in my git repo",
            "i am working with you on code in a git repository.\nhere are summaries",
            "i have *added these files to the chat*",
            "these files have been *added these files to the chat*",
            "here are some read only files, provided for your reference.",
            "i am not sharing any files that you can edit yet.",
            "i am not sharing the full contents of any files with you yet.",
            "don't try and edit any existing code without asking me to add the files to the chat!",
            "i added these files to the chat:",
            "i committed the changes with git hash",
            "i didn't see any properly formatted edits in your reply?!",
            "i spoke to you previously about a number of things.\n",
            "i ran this command:\n\n",
            "# fix any errors below, if possible.",
        )
    ),
    MessageMark(("# ",), mark="above that failed to match."),
    # opencode
    MessageMark(("<system-reminder>",), ("</system-reminder>",)),
    MessageMark(("continue if you have next steps, or stop and ask for clarification",)),
)
