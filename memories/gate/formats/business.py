"""Keys of payment, shop and business software."""

from __future__ import annotations

from typing import Final

from memories.gate.formats.format import ALNUM, ANY_HEX, HEX, UUID, WORD, Format

_STRIPE_MARKS: Final = ("_live_", "_test_", "_org_", "_prod_")
_SQUARE: Final = rf"sq0(?:atp|csp|cgp)-{WORD}{{22,43}}|EAAA(?=[A-Za-z_-]{{0,59}}[0-9]){WORD}{{60}}"
_BRAINTREE: Final = rf"access_token\$(?:production|sandbox)\$[0-9a-z]{{16}}\${HEX}{{32}}"

BUSINESS: Final = (
    Format("stripe_key", _STRIPE_MARKS, rf"(?:sk|rk)_(?:live|test|org|prod)_{ALNUM}{{16,250}}"),
    Format("stripe_webhook_secret", ("whsec_",), r"whsec_[A-Za-z0-9+/]{24,80}={0,2}"),
    Format("shopify_token", ("shp",), rf"shp(?:at|ca|pa|ss|ua|tka)_{ANY_HEX}{{32}}"),
    Format("square_token", ("sq0", "EAAA"), _SQUARE),
    Format("braintree_token", ("access_token$",), _BRAINTREE),
    Format("razorpay_key", ("rzp_",), rf"rzp_(?:live|test)_{ALNUM}{{14,20}}"),
    Format("plaid_token", ("access-",), rf"access-(?:sandbox|development|production)-{UUID}"),
    Format("flutterwave_key", ("FLWSECK",), rf"FLWSECK(?:_TEST)?-{ALNUM}{{12,40}}(?:-X)?"),
    Format("easypost_key", ("EZAK", "EZTK"), rf"EZ[AT]K{ALNUM}{{54}}"),
    Format("shippo_token", ("shippo_",), rf"shippo_(?:live|test)_{HEX}{{40}}"),
    Format("duffel_token", ("duffel_",), rf"duffel_(?:live|test)_{WORD}{{43}}"),
    Format("adobe_secret", ("p8e-",), rf"p8e-{ALNUM}{{32}}"),
    Format("adafruit_key", ("aio_",), rf"aio_{ALNUM}{{28}}"),
    Format("dropbox_token", ("sl.",), rf"sl\.(?:u\.)?{WORD}{{100,2000}}+"),
    Format("mapbox_secret", ("sk.eyJ",), rf"sk\.eyJ{WORD}{{40,200}}+\.{WORD}{{20,40}}"),
    Format("hubspot_token", ("pat-",), rf"pat-(?:na|eu|ap)[0-9]-{UUID}"),
    Format("intercom_token", ("dG9rO",), r"dG9rO[A-Za-z0-9+/]{50,90}={0,2}"),
    Format("frameio_token", ("fio-u-",), rf"fio-u-{WORD}{{64}}"),
    Format("lob_key", ("live_", "test_"), rf"(?:live|test)_{HEX}{{35}}"),
)
