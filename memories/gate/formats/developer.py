"""Tokens of code hosts, package registries, build systems and developer tools."""

from __future__ import annotations

from typing import Final

from memories.gate.formats.format import ALNUM, HEX, WORD, Format

_GITHUB: Final = (
    rf"gh[pousr]_[A-Za-z0-9_]{{30,255}}(?:\.{WORD}{{10,2000}}+){{0,2}}|github_pat_[A-Za-z0-9_]{{50,255}}"
)
_GITLAB_MARKS: Final = (
    *("glpat-", "gldt-", "glrt-", "glcbt-", "glptt-", "glft-", "glimt-"),
    *("glagent-", "gloas-", "glsoat-", "glffct-", "glwt-", "GR1348941"),
)
_GITLAB: Final = (
    rf"gl(?:pat|dt|rt|cbt|ptt|ft|imt|agent|oas|soat|ffct|wt)-{WORD}{{20,300}}+(?:\.{ALNUM}{{2,12}}){{0,2}}"
    rf"|GR1348941{WORD}{{20,60}}"
)
_BITBUCKET: Final = rf"ATBB{ALNUM}{{32,40}}|ATCTT3xFf[A-Za-z0-9_=-]{{100,300}}"
_CIRCLECI: Final = rf"CCI(?:PAT|PRJ)_{ALNUM}{{20,24}}_{HEX}{{40}}"
# Includes tokens without a signature, and encrypted tokens of five parts, the second of which may be empty.
_JWT: Final = rf"eyJ{WORD}{{8,1000}}+\.(?:{WORD}{{16,9000}}+|(?=\.))(?:\.{WORD}{{0,9000}}+){{0,3}}"

DEVELOPER: Final = (
    Format("github_token", ("ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_"), _GITHUB),
    Format("gitlab_token", _GITLAB_MARKS, _GITLAB),
    Format("bitbucket_token", ("ATBB", "ATCTT3xFf"), _BITBUCKET),
    Format("atlassian_token", ("ATATT3xFf",), r"ATATT3xFf[A-Za-z0-9_=-]{100,300}"),
    Format("npm_token", ("npm_",), rf"npm_{ALNUM}{{36,60}}"),
    Format("pypi_token", ("pypi-Ag",), rf"pypi-Ag{WORD}{{40,400}}+"),
    Format("rubygems_key", ("rubygems_",), rf"rubygems_{HEX}{{48}}"),
    Format("nuget_key", ("oy2",), r"oy2[a-z0-9]{43}"),
    Format("crates_token", ("cio",), rf"cio(?=[A-Za-z]{{0,32}}[0-9]){ALNUM}{{32}}"),
    Format("clojars_token", ("CLOJARS_",), r"CLOJARS_[a-z0-9]{60}"),
    Format("docker_token", ("dckr_",), rf"dckr_[op]at_{WORD}{{24,40}}"),
    Format("artifactory_token", ("AKCp", "cmVmdGtu"), rf"AKCp{ALNUM}{{60,80}}|cmVmdGtu{ALNUM}{{56}}"),
    Format("sonar_token", ("sqp_", "squ_", "sqa_"), rf"sq[pua]_{HEX}{{40}}"),
    Format("postman_key", ("PMAK-",), rf"PMAK-{HEX}{{24}}-{HEX}{{34}}"),
    Format("prefect_key", ("pnu_", "pnb_"), rf"pn[ub]_{ALNUM}{{36}}"),
    Format("readme_key", ("rdme_",), r"rdme_[a-z0-9]{60,80}"),
    Format("circleci_token", ("CCIPAT_", "CCIPRJ_"), _CIRCLECI),
    Format("buildkite_token", ("bkua_", "bkaj_", "bkct_"), rf"bk(?:ua|aj|ct)_{HEX}{{40}}"),
    Format("linear_key", ("lin_api_", "lin_oauth_"), rf"lin_(?:api|oauth)_{ALNUM}{{32,64}}"),
    Format("figma_token", ("figd_", "figo_", "figu_"), rf"fig[dou]_{WORD}{{36,60}}"),
    Format("notion_token", ("secret_", "ntn_"), rf"secret_{ALNUM}{{43}}|ntn_{ALNUM}{{40,60}}"),
    Format("airtable_token", ("pat",), rf"pat{ALNUM}{{14}}\.{HEX}{{64}}"),
    Format("contentful_token", ("CFPAT-",), rf"CFPAT-{WORD}{{40,50}}"),
    Format("typeform_token", ("tfp_",), r"tfp_[A-Za-z0-9_.-]{40,64}"),
    Format("onepassword_token", ("ops_eyJ",), r"ops_eyJ[A-Za-z0-9+/_-]{150,2000}+={0,2}"),
    Format("asana_token", ("1/", "2/"), rf"[12]/[0-9]{{13,18}}(?:/[0-9]{{13,18}})?:{HEX}{{32}}"),
    Format("posthog_key", ("phx_", "phs_"), rf"ph[xs]_{ALNUM}{{40,60}}"),
    Format(
        "age_secret_key", ("AGE-SECRET-KEY-1",), r"AGE-SECRET-KEY-1[QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L]{50,64}"
    ),
)

#: Tried last, because tokens of other formats may contain one.
JWT: Final = Format("jwt", ("eyJ",), _JWT)
