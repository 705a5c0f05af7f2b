"""Does a text still say something once its secrets are gone?"""

from __future__ import annotations

import re
from typing import Final

from memories.gate.wordlist import words

_WORD: Final = re.compile(r"[^\W\d_]+")
_CHINESE: Final = re.compile(r"[\u3400-\u9fff]")

# Function words, and words that only announce a secret or an identifier.
_EMPTY: Final = words(
    """
    a aadhaar about access account also am an and api app are as at auth authentication authorisation
    authorization bank basic be bearer been begin but by card cards client code codes cookie cpf credential
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


def says_something(text: str) -> bool:
    """True if a word is left that is neither a function word nor one that only announces a secret.

    text: without its placeholders. "my password is" says nothing, "the staging server's password is" does.
    """
    if any(word.isascii() and word.lower() not in _EMPTY for word in _WORD.findall(text)):
        return True
    return _WORD.search(_EMPTY_CHINESE.sub("", _CHINESE_ONLY.sub("", text))) is not None


_CHINESE_ONLY: Final = re.compile(r"[\x00-\x7f]+")
