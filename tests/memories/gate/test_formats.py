"""Every format of a credential: a made-up one is found by name, a near miss is kept.

Samples are put together here from a prefix and a seeded random body, so that no file of the repository
holds anything a scanner for secrets would stop at.
"""

from __future__ import annotations

import random
import string
import uuid

import pytest

from memories.gate import inspect_text, redact_text
from memories.gate.formats import FORMATS

UPPER = string.ascii_uppercase + string.digits
ALNUM = string.ascii_letters + string.digits
SMALL = string.ascii_lowercase + string.digits
HEX = "0123456789abcdef"
WORD = ALNUM + "_-"
BECH32 = "QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L"


def fill(alphabet: str, length: int) -> str:
    """Random characters, the same in every run; a digit first, as some formats must hold one."""
    draw = random.Random(f"{alphabet}{length}")  # noqa: S311 - made-up samples
    first = draw.choice([each for each in alphabet if each.isdigit()] or alphabet)
    return first + "".join(draw.choice(alphabet.strip("_-")) for _ in range(length - 1))


def a_uuid() -> str:
    return str(uuid.UUID(int=0x9D0C3A5E1B7F4E62A8D15C0F3B9E7A24, version=4))


# kind, a genuine-looking value, a near miss: too short, the wrong letters, the wrong prefix
SAMPLES = [
    ("anthropic_key", "sk-" + "ant-api03-" + fill(WORD, 93), "sk-ant-api03"),
    ("openrouter_key", "sk-" + "or-v1-" + fill(HEX, 64), "sk-or-v1-abc"),
    ("langfuse_key", "sk-" + "lf-" + a_uuid(), "pk-lf-" + a_uuid()),
    ("openai_key", "sk-" + "proj-" + fill(WORD, 120), "sk-proj-demo"),
    ("openai_key", "sk-" + "svcacct-" + fill(WORD, 60), "sk-svcacct-demo"),
    ("sk_key", "sk-" + fill(ALNUM, 48), "sk-loading-spinner-container-fluid"),
    ("cerebras_key", "csk-" + fill(SMALL, 48), "csk-" + fill(SMALL, 12)),
    ("groq_key", "gsk" + "_" + fill(ALNUM, 52), "gsk_" + fill(ALNUM, 12)),
    ("xai_key", "xai-" + fill(ALNUM, 80), "xai-" + fill(ALNUM, 12)),
    ("perplexity_key", "pplx-" + fill(ALNUM, 48), "pplx-" + fill(ALNUM, 12)),
    ("huggingface_token", "hf" + "_" + fill(string.ascii_letters, 34), "hf_hub_download_with_progress"),
    ("replicate_token", "r8" + "_" + fill(ALNUM, 37), "r8_" + fill(ALNUM, 10)),
    ("nvidia_key", "nvapi-" + fill(WORD, 64), "nvapi-" + fill(SMALL, 10)),
    ("together_key", "tgp_" + "v1_" + fill(WORD, 43), "tgp_v1_" + fill(SMALL, 9)),
    ("fireworks_key", "fw" + "_" + fill(ALNUM, 24), "fw_" + fill(ALNUM, 9)),
    ("voyage_key", "pa-" + fill(WORD, 43), "pa-" + fill(SMALL, 10)),
    ("jina_key", "jina" + "_" + fill(HEX, 32) + fill(WORD, 28), "jina_embeddings_v3"),
    ("tavily_key", "tvly-" + fill(ALNUM, 32), "tvly-" + fill(ALNUM, 9)),
    ("pinecone_key", "pcsk" + "_" + fill(ALNUM, 5) + "_" + fill(ALNUM, 63), "pcsk_" + fill(ALNUM, 6)),
    ("langsmith_key", "lsv2" + "_pt_" + fill(HEX, 32) + "_" + fill(HEX, 10), "lsv2_pt_" + fill(HEX, 8)),
    ("elevenlabs_key", "sk" + "_" + fill(HEX, 48), "sk_" + fill(HEX, 12)),
    ("zhipu_key", fill(HEX, 32) + "." + fill(ALNUM, 16), fill(HEX, 32) + ".tar.gz"),
    ("wandb_key", "wandb" + "_v1_" + fill(ALNUM, 60), "wandb_v1_run"),
    ("aws_access_key", "AK" + "IA" + fill(UPPER, 16), "AKIA" + fill(UPPER, 12)),
    ("aws_access_key", "AS" + "IA" + fill(UPPER, 16), "ASIA" + fill(SMALL, 16)),
    ("aws_bedrock_key", "ABSK" + fill(ALNUM, 120), "ABSK" + fill(UPPER, 10)),
    ("google_api_key", "AI" + "za" + fill(WORD, 35), "AIza" + fill(ALNUM, 12)),
    ("google_api_key", "AQ" + ".Ab8" + fill(WORD, 48), "AQ.Ab8" + fill(ALNUM, 8)),
    ("google_oauth_secret", "GOC" + "SPX-" + fill(WORD, 28), "GOCSPX-" + fill(ALNUM, 9)),
    ("google_oauth_token", "ya29" + "." + fill(WORD, 120), "ya29." + fill(ALNUM, 9)),
    ("google_oauth_token", "1/" + "/0" + fill(WORD, 60), "1//0" + fill(ALNUM, 9)),
    ("azure_client_secret", fill(ALNUM, 3) + "8Q~" + fill(ALNUM, 34), "abc8Q~" + fill(ALNUM, 9)),
    ("azure_devops_token", fill(ALNUM, 76) + "AZ" + "DO" + fill(ALNUM, 4), "see AZDO1234"),
    ("azure_storage_key", fill(ALNUM, 76) + "+A" + "St" + fill(ALNUM, 6) + "==", "a+AStro=="),
    ("azure_ai_key", fill(ALNUM, 52) + "JQQ" + "J99" + fill(ALNUM, 26), "JQQJ99" + fill(ALNUM, 8)),
    ("alibaba_access_key", "LT" + "AI" + fill(ALNUM, 20), "LTAI" + fill(ALNUM, 8)),
    ("tencent_secret_id", "AK" + "ID" + fill(ALNUM, 32), "AKID" + fill(ALNUM, 9)),
    ("volcengine_access_key", "AK" + "LT" + fill(ALNUM, 43), "AKLT" + fill(ALNUM, 9)),
    ("baidu_cloud_key", "ALT" + "AK-" + fill(ALNUM, 21), "ALTAK-" + fill(ALNUM, 9)),
    ("digitalocean_token", "dop" + "_v1_" + fill(HEX, 64), "dop_v1_" + fill(HEX, 32)),
    ("heroku_token", "HRKU-" + fill(WORD, 60), "HRKU-" + fill(ALNUM, 9)),
    ("databricks_token", "da" + "pi" + fill(HEX, 32), "dapi" + fill(HEX, 16)),
    ("cloudflare_origin_key", "v1.0-" + fill(HEX, 24) + "-" + fill(HEX, 146), "v1.0-" + fill(HEX, 8)),
    ("vault_token", "hv" + "s." + fill(WORD, 90), "hvs." + fill(SMALL, 8)),
    ("terraform_token", fill(ALNUM, 14) + ".atlas" + "v1." + fill(WORD, 67), "a.atlasv1." + fill(SMALL, 9)),
    ("doppler_token", "dp." + "pt." + fill(ALNUM, 43), "dp.pt." + fill(ALNUM, 9)),
    ("doppler_token", "dp." + "st.dev_api." + fill(ALNUM, 43), "dp.st.dev_api"),
    ("pulumi_token", "pul-" + fill(HEX, 40), "pul-" + fill(HEX, 12)),
    ("planetscale_token", "pscale" + "_tkn_" + fill(WORD, 43), "pscale_tkn_" + fill(SMALL, 9)),
    ("supabase_key", "sbp" + "_" + fill(HEX, 40), "sbp_" + fill(HEX, 12)),
    ("supabase_key", "sb_" + "secret_" + fill(ALNUM, 31), "sb_secret_" + fill(SMALL, 6)),
    ("fly_token", "fm2" + "_" + fill(ALNUM, 120), "fm2_" + fill(SMALL, 9)),
    ("netlify_token", "nfp" + "_" + fill(ALNUM, 36), "nfp_" + fill(SMALL, 9)),
    ("vercel_token", "vcp" + "_" + fill(ALNUM, 56), "vcp_" + fill(SMALL, 9)),
    ("tailscale_key", "tskey-" + "auth-" + fill(ALNUM, 12) + "-" + fill(ALNUM, 32), "tskey-auth-abc"),
    ("dynatrace_token", "dt0" + "c01." + fill(UPPER, 24) + "." + fill(UPPER, 64), "dt0c01.ABC.DEF"),
    ("new_relic_key", "NR" + "AK-" + fill(UPPER, 27), "NRAK-" + fill(UPPER, 9)),
    ("new_relic_key", fill(HEX, 36) + "NR" + "AL", fill(HEX, 20) + "NRAL"),
    ("sentry_token", "sntr" + "ys_" + fill(ALNUM, 90), "sntrys_" + fill(SMALL, 9)),
    ("grafana_token", "gl" + "sa_" + fill(ALNUM, 32) + "_" + fill(HEX, 8), "glsa_" + fill(SMALL, 9)),
    ("grafana_token", "gl" + "c_" + fill(ALNUM, 90), "glc_" + fill(SMALL, 9)),
    ("grafana_key", "eyJr" + "Ijoi" + fill(ALNUM, 70), "eyJrIjoi" + fill(SMALL, 6)),
    ("launchdarkly_key", "sdk-" + a_uuid(), "app-" + a_uuid()),
    ("github_token", "gh" + "p_" + fill(ALNUM, 36), "ghp_" + fill(ALNUM, 12)),
    ("github_token", "gh" + "o_" + fill(ALNUM, 36), "gho_" + fill(ALNUM, 12)),
    ("github_token", "gh" + "u_" + fill(ALNUM, 36), "ghu_" + fill(ALNUM, 12)),
    ("github_token", "gh" + "s_" + fill(ALNUM, 36), "ghx_" + fill(HEX, 12)),
    ("github_token", "gh" + "r_" + fill(ALNUM, 76), "ghr_" + fill(ALNUM, 12)),
    ("github_token", "github" + "_pat_" + fill(ALNUM, 22) + "_" + fill(ALNUM, 59), "github_pat_support"),
    ("gitlab_token", "gl" + "pat-" + fill(WORD, 20), "glpat-" + fill(SMALL, 9)),
    ("gitlab_token", "gl" + "rt-" + fill(WORD, 20), "glrt-runner"),
    ("bitbucket_token", "AT" + "BB" + fill(ALNUM, 32), "ATBB" + fill(ALNUM, 9)),
    ("atlassian_token", "ATA" + "TT3xFf" + fill(WORD, 180), "ATATT3xFf" + fill(SMALL, 9)),
    ("npm_token", "npm" + "_" + fill(ALNUM, 36), "npm_config_registry_url_override"),
    ("pypi_token", "pypi-" + "AgEIcHlwaS5vcmc" + fill(WORD, 80), "pypi-AgEIcHlw"),
    ("rubygems_key", "ruby" + "gems_" + fill(HEX, 48), "rubygems_" + fill(HEX, 12)),
    ("nuget_key", "oy" + "2" + fill(SMALL, 43), "oy2" + fill(SMALL, 9)),
    ("crates_token", "ci" + "o" + fill(ALNUM, 32), "cio" + fill(SMALL, 9)),
    ("clojars_token", "CLO" + "JARS_" + fill(SMALL, 60), "CLOJARS_" + fill(SMALL, 9)),
    ("docker_token", "dckr" + "_pat_" + fill(WORD, 27), "dckr_pat_" + fill(SMALL, 9)),
    ("artifactory_token", "AKC" + "p" + fill(ALNUM, 69), "AKCp" + fill(SMALL, 9)),
    ("sonar_token", "squ" + "_" + fill(HEX, 40), "squ_" + fill(HEX, 9)),
    ("postman_key", "PM" + "AK-" + fill(HEX, 24) + "-" + fill(HEX, 34), "PMAK-" + fill(HEX, 9)),
    ("prefect_key", "pn" + "u_" + fill(ALNUM, 36), "pnu_" + fill(SMALL, 9)),
    ("readme_key", "rd" + "me_" + fill(SMALL, 70), "rdme_" + fill(SMALL, 9)),
    ("circleci_token", "CCI" + "PAT_" + fill(ALNUM, 22) + "_" + fill(HEX, 40), "CCIPAT_" + fill(SMALL, 9)),
    ("buildkite_token", "bk" + "ua_" + fill(HEX, 40), "bkua_" + fill(HEX, 9)),
    ("linear_key", "lin" + "_api_" + fill(ALNUM, 40), "lin_api_" + fill(SMALL, 9)),
    ("figma_token", "fig" + "d_" + fill(WORD, 43), "figd_" + fill(SMALL, 9)),
    ("notion_token", "nt" + "n_" + fill(ALNUM, 46), "ntn_" + fill(SMALL, 9)),
    ("notion_token", "secr" + "et_" + fill(ALNUM, 43), "secret_key_for_signing_cookies"),
    ("airtable_token", "pa" + "t" + fill(ALNUM, 14) + "." + fill(HEX, 64), "pat" + fill(ALNUM, 14) + ".csv"),
    ("contentful_token", "CF" + "PAT-" + fill(WORD, 43), "CFPAT-" + fill(SMALL, 9)),
    ("typeform_token", "tf" + "p_" + fill(WORD, 59), "tfp_" + fill(SMALL, 9)),
    ("onepassword_token", "ops" + "_eyJ" + fill(ALNUM, 250), "ops_eyJ" + fill(SMALL, 9)),
    ("asana_token", "1/" + "1200000000000000:" + fill(HEX, 32), "1/1200000000000000:" + fill(HEX, 9)),
    ("posthog_key", "ph" + "x_" + fill(ALNUM, 43), "phx_" + fill(SMALL, 9)),
    (
        "jwt",
        "ey" + "J" + fill(ALNUM, 33) + ".ey" + "J" + fill(ALNUM, 60) + "." + fill(WORD, 43),
        "eyJhbGciOiJI.tar",
    ),
    ("jwt", "ey" + "J" + fill(ALNUM, 33) + ".ey" + "J" + fill(ALNUM, 60) + ".", "eyJhbGciOiJI..."),
    ("age_secret_key", "AGE-SECRET-" + "KEY-1" + fill(BECH32, 58), "AGE-SECRET-KEY-1" + fill(BECH32, 20)),
    ("slack_token", "xo" + "xb-123456789012-1234567890123-" + fill(ALNUM, 24), "xoxb-demo"),
    ("slack_token", "xo" + "xp-123456789012-123456789012-" + fill(HEX, 32), "xoxq-1234567890-1234567890"),
    ("slack_token", "xa" + "pp-1-A0123456789-1234567890123-" + fill(HEX, 64), "xapp-1-A0123456789"),
    ("telegram_token", "12345" + "67890:" + "AA" + fill(WORD, 33), "1234567890:AAA"),
    ("discord_token", "MT" + fill(ALNUM, 24) + "." + fill(WORD, 6) + "." + fill(WORD, 38), "MTabc.def.ghi"),
    ("twilio_key", "S" + "K" + fill(HEX, 32), "SK" + fill(HEX, 16)),
    ("twilio_credentials", "A" + "C" + fill(HEX, 32) + ":" + fill(HEX, 32), "AC" + fill(HEX, 32)),
    ("sendgrid_key", "S" + "G." + fill(WORD, 22) + "." + fill(WORD, 43), "SG." + fill(ALNUM, 9) + ".abc"),
    ("mailgun_key", "key" + "-" + fill(HEX, 32), "key-" + fill(HEX, 12)),
    (
        "mailgun_key",
        fill(HEX, 32) + "-" + fill(HEX, 8) + "-" + fill(HEX, 8),
        fill(HEX, 32) + "-" + fill(HEX, 8),
    ),
    ("mailchimp_key", fill(HEX, 32) + "-us" + "21", fill(HEX, 30) + "-us21"),
    ("mandrill_key", "md-" + fill(ALNUM, 22), "md-" + fill(ALNUM, 9)),
    ("brevo_key", "xkey" + "sib-" + fill(HEX, 64) + "-" + fill(ALNUM, 16), "xkeysib-" + fill(HEX, 9)),
    ("resend_key", "re" + "_" + fill(ALNUM, 8) + "_" + fill(ALNUM, 24), "re_" + fill(ALNUM, 8)),
    ("facebook_token", "EA" + "AB" + fill(ALNUM, 160), "EAAB" + fill(ALNUM, 10)),
    ("twitter_bearer_token", "A" * 21 + fill(ALNUM, 90), "A" * 24),
    ("dingtalk_secret", "S" + "EC" + fill(HEX, 64), "SEC" + fill(HEX, 16)),
    ("stripe_key", "sk" + "_live_" + fill(ALNUM, 24), "sk_live_" + fill(ALNUM, 8)),
    ("stripe_key", "rk" + "_test_" + fill(ALNUM, 99), "pk_test_" + fill(ALNUM, 24)),
    ("stripe_webhook_secret", "wh" + "sec_" + fill(ALNUM, 32), "whsec_" + fill(ALNUM, 9)),
    ("shopify_token", "shp" + "at_" + fill(HEX, 32), "shpat_" + fill(HEX, 9)),
    ("square_token", "sq0" + "csp-" + fill(WORD, 43), "sq0csp-" + fill(SMALL, 9)),
    ("square_token", "EA" + "AA" + fill(WORD, 60), "EAAA" + fill(SMALL, 9)),
    (
        "braintree_token",
        "access_" + "token$production$" + fill(SMALL, 16) + "$" + fill(HEX, 32),
        "access_token$live",
    ),
    ("razorpay_key", "rzp" + "_live_" + fill(ALNUM, 14), "rzp_live_" + fill(ALNUM, 6)),
    ("plaid_token", "access-" + "sandbox-" + a_uuid(), "access-other-" + a_uuid()),
    ("flutterwave_key", "FLW" + "SECK-" + fill(HEX, 32) + "-X", "FLWSECK-" + fill(HEX, 5)),
    ("easypost_key", "EZ" + "AK" + fill(ALNUM, 54), "EZAK" + fill(ALNUM, 9)),
    ("shippo_token", "ship" + "po_live_" + fill(HEX, 40), "shippo_live_" + fill(HEX, 9)),
    ("duffel_token", "duf" + "fel_live_" + fill(WORD, 43), "duffel_live_" + fill(SMALL, 9)),
    ("adobe_secret", "p8" + "e-" + fill(ALNUM, 32), "p8e-" + fill(SMALL, 9)),
    ("adafruit_key", "ai" + "o_" + fill(ALNUM, 28), "aio_" + fill(SMALL, 9)),
    ("dropbox_token", "s" + "l." + fill(WORD, 136), "sl." + fill(SMALL, 9)),
    ("mapbox_secret", "sk" + ".eyJ" + fill(ALNUM, 70) + "." + fill(WORD, 22), "sk.eyJ" + fill(SMALL, 9)),
    ("hubspot_token", "pa" + "t-na1-" + a_uuid(), "pat-xx1-" + a_uuid()),
    ("intercom_token", "dG9" + "rO" + fill(ALNUM, 60), "dG9rO" + fill(SMALL, 9)),
    ("frameio_token", "fi" + "o-u-" + fill(WORD, 64), "fio-u-" + fill(SMALL, 9)),
    ("lob_key", "te" + "st_" + fill(HEX, 35), "test_" + fill(HEX, 12)),
]


@pytest.mark.parametrize(("kind", "value"), [(kind, value) for kind, value, _ in SAMPLES])
def test_credential_is_found_by_its_name_and_gone_from_the_text(kind: str, value: str) -> None:
    redacted = redact_text(f"We deploy to Frankfurt with {value} every night.")
    assert redacted.text == f"We deploy to Frankfurt with [redacted:{kind}] every night."


@pytest.mark.parametrize("near_miss", [near_miss for _, _, near_miss in SAMPLES])
def test_near_miss_of_a_credential_is_kept(near_miss: str) -> None:
    text = f"We deploy to Frankfurt with {near_miss} every night."
    assert redact_text(text).text == text


@pytest.mark.parametrize(
    "surroundings",
    [
        '{{"env": "{}"}}',
        "`{}`",
        "**{}**",
        "({}).",
        "我们用{}部署，每晚一次。",
        "first line\\n{}\\nlast line",
        "https://example.com/a?next=%2F%3D{}&x=1",
        "«{}»",
        "a,{};b",
        "\u200b{}\ufeff",
        "TOKEN={}\n",
        "<b>{}</b>",
    ],
)
@pytest.mark.parametrize("index", range(0, len(SAMPLES), 9))
def test_credential_is_found_whatever_stands_around_it(surroundings: str, index: int) -> None:
    value = SAMPLES[index][1]
    assert value not in redact_text(surroundings.format(value)).text


def test_every_format_has_a_sample_and_there_are_over_fifty() -> None:
    kinds = {each.kind for each in FORMATS}
    assert kinds == {kind for kind, _, _ in SAMPLES}
    assert len(kinds) > 50


def test_kinds_of_formats_are_named_once() -> None:
    kinds = [each.kind for each in FORMATS]
    assert len(kinds) == len(set(kinds))


def test_several_credentials_in_one_text_are_all_found() -> None:
    values = [value for _, value, _ in SAMPLES]
    text = redact_text(" and ".join(values)).text
    assert not any(value in text for value in values)
    assert len(inspect_text(" and ".join(values)).findings) == len(values)
