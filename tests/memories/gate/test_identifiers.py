"""Cards and national ids: genuine-looking ones go, near misses and other numbers stay."""

from __future__ import annotations

import pytest

from memories.gate import redact_text

# kind, what comes before, the number, a near miss of it
SAMPLES = [
    ("card_number", "I pay with ", "4111 1111 1111 1111", "4111 1111 1111 1112"),
    ("card_number", "I pay with ", "4111-1111-1111-1111", "4111-1111-1111-1112"),
    ("card_number", "I pay with ", "4111111111111111", "41111111111111111"),
    ("card_number", "amex ", "3782 822463 10005", "3782 822463 10006"),
    ("card_number", "visa", "4111111111111111", "4111111111111112"),
    ("card_number", "银行卡号", "6200000000000000000", "6200000000000000007"),
    ("card_number", "my visa card is ", "4222222222222", "4222222222223"),
    ("chinese_id", "身份证号", "11010519491231002X", "110105194912310021"),
    ("chinese_id", "id: ", "110105 19491231 002x", "110105 19491331 002x"),
    ("chinese_id", "老身份证", "110105491231002", "990105491231002"),
    ("us_ssn", "my number is ", "123-45-6789", "000-45-6789"),
    ("us_ssn", "SSN ", "123 45 6789", "123 00 6789"),
    ("us_ssn", "social security number: ", "123456789", "666456789"),
    ("us_ssn", "my ITIN is ", "912-70-1234", "912-10-1234"),
    ("uk_nino", "my number is ", "AB123456C", "AB123456E"),
    ("uk_nino", "NI number: ", "ab 12 34 56 c", "gb 12 34 56 c"),
    ("uk_nhs_number", "NHS ", "943 476 5919", "943 476 5918"),
    ("iban", "pay to ", "GB82 WEST 1234 5698 7654 32", "GB82 WEST 1234 5698 7654 33"),
    ("iban", "pay to ", "DE89370400440532013000", "DE89370400440532013001"),
    ("iban", "pay to ", "be68 5390 0754 7034", "be68 5390 0754 7035"),
    ("spanish_dni", "DNI ", "12345678Z", "12345678A"),
    ("spanish_nie", "NIE ", "X1234567L", "X1234567M"),
    ("french_nir", "n° ", "2 55 08 14 168 025 38", "2 55 08 14 168 025 39"),
    ("french_nir", "n° ", "255081416802538", "255081416802539"),
    ("german_tax_id", "Steuer-ID ", "86 095 742 719", "86 095 742 718"),
    ("aadhaar", "number ", "2341 2341 2346", "2341 2341 2345"),
    ("aadhaar", "Aadhaar: ", "234123412346", "234123412345"),
    ("indian_pan", "my PAN is ", "ABCPE1234F", "ABCXE1234F"),
    ("brazilian_cpf", "número ", "529.982.247-25", "529.982.247-26"),
    ("brazilian_cpf", "CPF ", "52998224725", "52998224726"),
    ("passport_number", "my passport number is ", "E12345678", "E1234"),
    ("passport_number", "护照号", "E12345678", "E12"),
    ("passport_number", "Reisepass: ", "C01X00T47", "C01X00TAA"),
    ("canadian_sin", "my SIN is ", "046 454 286", "046 454 287"),
    ("codice_fiscale", "il mio ", "RSSMRA85T10A562S", "RSSMRA85T10A562T"),
    ("korean_rrn", "주민등록번호 ", "800101-1234567", "801301-1234567"),
    ("japanese_my_number", "マイナンバーは", "1234 5678 9018", "1234 5678 9017"),
    ("taiwan_id", "id ", "A123456789", "A123456788"),
    ("hong_kong_id", "id ", "A123456(3)", "A123456(4)"),
    ("hong_kong_id", "香港身份证 ", "A1234563", "A1234564"),
    ("singapore_nric", "id ", "S1234567D", "S1234567E"),
    ("polish_pesel", "PESEL ", "44051401359", "44051401358"),
    ("dutch_bsn", "BSN ", "111222333", "111222334"),
]


@pytest.mark.parametrize(("kind", "before", "number"), [sample[:3] for sample in SAMPLES])
def test_identifier_goes_by_its_name(kind: str, before: str, number: str) -> None:
    assert redact_text(f"{before}{number}, thanks").text == f"{before}[redacted:{kind}], thanks"


@pytest.mark.parametrize(("before", "near_miss"), [(sample[1], sample[3]) for sample in SAMPLES])
def test_near_miss_of_an_identifier_is_kept(before: str, near_miss: str) -> None:
    assert redact_text(f"{before}{near_miss}, thanks").text == f"{before}{near_miss}, thanks"


@pytest.mark.parametrize(
    "number", ["123456789", "52998224725", "86095742719", "046454286", "E12345678", "ABCPE1234F"]
)
def test_number_that_needs_its_word_is_kept_without_it(number: str) -> None:
    assert redact_text(f"order {number} came").text == f"order {number} came"


@pytest.mark.parametrize(
    "text",
    [
        "call +1 415 555 2671 or (415) 555-2671 or 415-555-2671",
        "手机号13812345678，或138-1234-5678",
        "+49 176 12345678, +4917612345678",
        "bob.smith+test@example.com",
        "order 20230508123456789 of 2023-05-08 14:30",
        "timestamps 1683548400000 and 1683548400.123456",
        "ISBN 978-3-16-148410-0, tracking 1Z999AA10123456784",
        "0.4111111111111111 and 12,345,678.90",
        "2019 2020 2021 2022 and 1990 2000 2010 2020",
        "id-4111111111111111-0001",
        "my passport expires on 2030-01-01; I lost it in 2019",
        "sin 30 degrees is 0.5; pan the camera to 1080p",
        "flight LH1234 on 12.05.2024, booking ABC123, hotel 98765432",
        "coordinates 40.712776, -74.005974",
    ],
)
def test_phone_number_mail_address_or_other_number_is_kept(text: str) -> None:
    assert redact_text(text).text == text


def test_card_goes_and_expiry_and_the_rest_stay() -> None:
    redacted = redact_text("4111 1111 1111 1111 12/27, then tea").text
    assert redacted == "[redacted:card_number] 12/27, then tea"
