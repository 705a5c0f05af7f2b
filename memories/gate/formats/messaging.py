"""Tokens of chat, mail and telephony services."""

from __future__ import annotations

from typing import Final

from memories.gate.formats.format import ALNUM, HEX, WORD, Format

_SLACK: Final = (
    r"xox[abceoprs]-[A-Za-z0-9-]{10,250}+|xoxe\.xox[bp]-[A-Za-z0-9-]{20,250}+"
    r"|xapp-[0-9]-[A-Z0-9]{6,20}-[0-9]{8,20}-[A-Za-z0-9]{20,100}"
)
_DISCORD: Final = rf"[MNO]{WORD}{{22,28}}\.{WORD}{{6}}\.{WORD}{{27,40}}|mfa\.{WORD}{{84}}"

MESSAGING: Final = (
    Format("slack_token", ("xox", "xapp-"), _SLACK),
    # In the method path of the API, `bot` directly precedes the token.
    Format("telegram_token", (":AA",), rf"(?:bot)?[0-9]{{8,12}}:AA{WORD}{{32,34}}"),
    Format("discord_token", (".",), _DISCORD),
    Format("twilio_key", ("SK",), rf"SK{HEX}{{32}}"),
    Format("twilio_credentials", ("AC",), rf"AC{HEX}{{32}}:{HEX}{{32}}"),
    Format("sendgrid_key", ("SG.",), rf"SG\.{WORD}{{16,32}}\.{WORD}{{32,64}}"),
    Format("mailgun_key", ("-",), rf"key-{HEX}{{32}}|{HEX}{{32}}-{HEX}{{8}}-{HEX}{{8}}"),
    Format("mailchimp_key", ("-us",), rf"{HEX}{{32}}-us[0-9]{{1,2}}"),
    Format("mandrill_key", ("md-",), rf"md-(?=[A-Za-z_-]{{0,21}}[0-9]){WORD}{{22}}"),
    Format("brevo_key", ("xkeysib-", "xsmtpsib-"), rf"x(?:keysib|smtpsib)-{HEX}{{64}}-{ALNUM}{{16}}"),
    Format("resend_key", ("re_",), rf"re_{ALNUM}{{8}}_{ALNUM}{{22,28}}"),
    Format("facebook_token", ("EAA",), rf"EAA[A-Z]{ALNUM}{{80,400}}+"),
    Format("twitter_bearer_token", ("AAAAAAAAAAAAAAAAAAAA",), r"A{20}[A-Za-z0-9%]{60,200}"),
    Format("dingtalk_secret", ("SEC",), rf"SEC{HEX}{{64}}"),
)
