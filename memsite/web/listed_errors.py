"""Sentences and words from below the page layer, listed so that they are translated.

The code that raises them is independent of languages; `errors` and the filter `spoken` translate them. A test
checks that each one occurs in the source.
"""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext_noop as _

SENTENCES: Final = (
    _("There is no such memory."),
    _("There is no such thread."),
    _("There is no such message in this thread."),
    _("There is no such API key."),
    _("There is no such batch."),
    _("This memory no longer stands; edit the one that followed it."),
    _("Another memory says this already."),
    _("Another memory says the same already."),
    _("A later change touched the same memories; undo that one first."),
    _("Memory is switched off for this person."),
    _("There is no such report."),
    _("There is no such finding in this report."),
    _("This has been settled already."),
    _("The report could not be made."),
    _("Choose one memory at least."),
    _("At most 50 memories become one."),
    _("A merge takes two memories or more."),
    _("Episodes are never merged."),
    _("Memories of one layer and kind can be merged."),
    _("A memory that no longer stands cannot be merged."),
    _("A memory has changed meanwhile; look at it again."),
    _("These memories do not say the same; give the words of the whole."),
    _("Together they are too long; give the words of the whole."),
    _("These memories are not in dispute."),
    _("This memory is not in dispute."),
    _("This is no answer to this conflict."),
    _("This is no day."),
    _("This day is in the future."),
    _("There is no such kind."),
    _("This temporary thread is closed."),
    _("Nothing of a temporary thread is remembered."),
    _("This message has no words to remember."),
    _("This cursor is not one of ours."),
    _("This invitation has just been used."),
    _("This name or e-mail address has just been taken."),
    _("The request's body came too slowly."),
    _("Sign in, or send an API key, before you send so much."),
    _("You are the only administrator. Make another one first."),
    _("The second factor cannot be read: the site's secret key has changed."),
    _("today's budget of model tokens is used up"),
    _("the model server keeps failing and is left alone for a while"),
    _("the model server did not answer in time"),
    _("the model server broke off its answer"),
    _("the model server could not be reached"),
    _("PostgreSQL's write-ahead log, until it is recycled"),
    _("dead rows in the data files, until VACUUM, which follows by itself"),
    _("indexes in the memory of other processes, until your next search"),
    _("the messages it came from, until you delete them"),
    _("backups made earlier"),
)
#: From allauth's pages, whose own Chinese translation is half English.
HALF_TRANSLATED: Final = (
    _("Email Addresses"),
    _("Add Email Address"),
    _("Add Email"),
)
#: What an erasure counts, and what staff look at and do.
WORDS: Final = (
    _("memories"),
    _("embeddings"),
    _("sources"),
    _("events"),
    _("citations"),
    _("summaries"),
    _("task_states"),
    _("sent_contexts"),
    _("entities"),
    _("threads"),
    _("users"),
    _("API keys"),
    _("applications"),
    _("audit entries"),
    _("look"),
    _("forget"),
    _("restore"),
    _("approve"),
    _("pin"),
    _("revoke"),
    _("change"),
    _("add"),
    _("set password"),
    _("run again"),
    _("jobs"),
    _("sign in"),
    _("issue key"),
    _("revoke key"),
    _("export"),
    _("sessions"),
)
#: Sentences of libraries whose own Chinese has English words in it.
LIBRARIES: Final = (
    _("Username or email"),
    _("Your account has no verified email address."),
    _("Email address %(deleted_email)s has been removed from your account."),
)
