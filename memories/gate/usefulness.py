"""Decide whether a text is still useful without its secrets."""

from __future__ import annotations

import re
from typing import Final

from memories.gate.vocabulary import alternatives, words

_WORD: Final = re.compile(r"[^\W\d_]+")
_CHINESE: Final = re.compile(r"[\u3400-\u9fff]")

# Function words, and words that only announce a secret or identifier.
_EMPTY: Final = words(
    """
    btw fyi s way
    a aadhaar about access account also am an and api app are as at auth authentication
    authorisation authorization bank basic be bearer been begin but by card cards client code codes cookie cpf
    credential
    credentials credit cvc cvv das debit der die dni driver e el end es essential est export fiscal for from
    had has have he hello her here hers hey hi his http https i iban id identification identity ids il in
    insurance is ist it its jwt key keys la le les licence license login ma me mein meine mi mio mnemonic
    mon my national nif nino no not note now number numbers of ok on or otp our ours pan passcode passphrase
    passport passwd password passwords passwort personal phrase pin please pwd recovery remember resident
    rrn rsa s save secret secrets security seed set she should sin so social ssh ssn store string su tax
    that the their them there these they this those to token tokens un una url us use used user username
    value verification was we were which with you your yours
    """
)
_EMPTY_CHINESE: Final = re.compile(
    r"信用卡|银行卡|身份证|验证码|助记词|账户|账号|帐号|卡号|密码|口令|密钥|私钥|令牌|护照|号码|证件|记住|请|帮|我们|我|你|您|他|她|它"
    r"|的|是|为|了|就|叫|吧|啊|呢|一下|这|那|个|号|和|与|及|在|有|用|也|都|到|改成|设置|设|成"
)


#: Replaces a placeholder while a text is judged.
MARK: Final = "\ufffc"
_CHINESE_ONLY: Final = re.compile(r"[\x00-\x7f]+")
_CLAUSE_END: Final = re.compile(
    r"[.!?;,](?:\s|$)|[\n，。；！？]|\s(?:and|but|because|since|so|which|und|aber|weil)\s", re.IGNORECASE
)
# Clauses about the secret alone: "… password … is MARK", "MARK is my … key", "…密码是MARK".
_NOUN: Final = (
    rf"(?:{alternatives('password_nouns')}|\b(?:pass|pin|pw|code|key|secret|token|credentials?|seed"
    r"|number|card|iban|ssn|id)s?\b"
    r"|密钥|令牌|号码?|卡号|证件?)"
)
_ANNOUNCED: Final = re.compile(
    rf"{_NOUN}[^{MARK}]{{0,60}}?(?:\b(?:is|was|are|were|be|to|ist|lautet|est|es)|[=:：é,è]|是|为|成|は|)\W{{0,4}}{MARK}"
    rf"|{MARK}\W{{0,3}}(?:is|was|ist|est|es|是|就是|が)\W{{0,2}}[^{MARK}]{{0,60}}?{_NOUN}",
    re.IGNORECASE,
)
_ENOUGH_BESIDE: Final = 3  # words that make a clause about a secret useful without the secret
_CHARACTERS_OF_A_WORD: Final = 2  # in Chinese


def says_something(text: str) -> bool:
    """Return whether a clause of the text is useful without its secrets.

    A clause needs one word that is neither a function word nor an announcement of a secret. A clause that
    states a secret ("the user's API key is MARK by the way") needs three.

    Args:
        text: Text with MARK in place of each placeholder.
    """
    return any(_is_worth_keeping(clause) for clause in _CLAUSE_END.split(text))


def _is_worth_keeping(clause: str) -> bool:
    latin = sum(word.isascii() and word.lower() not in _EMPTY for word in _WORD.findall(clause))
    other = _EMPTY_CHINESE.sub("", _CHINESE_ONLY.sub(" ", clause)).replace(MARK, " ")
    others = sum(
        max(1, len(word) // _CHARACTERS_OF_A_WORD) if _CHINESE.search(word) else 1
        for word in _WORD.findall(other)
    )
    needed = _ENOUGH_BESIDE if MARK in clause and _ANNOUNCED.search(clause.lower()) else 1
    return bool(latin + others >= needed)
