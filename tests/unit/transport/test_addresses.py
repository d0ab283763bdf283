"""Which addresses may be asked. What becomes of them over the network is in tests/faults."""

from __future__ import annotations

import ipaddress

import pytest

from kgcore.errors import InputError
from kgcore.transport.addresses import Guard, check_address, origin, reach, read_ip

REACHES = [
    ("93.184.216.34", "public"),
    ("2606:2800:220:1::1", "public"),
    ("::ffff:93.184.216.34", "public"),
    ("64:ff9b::5db8:d822", "public"),
    ("127.0.0.1", "private"),
    ("127.255.255.254", "private"),
    ("::1", "private"),
    ("10.0.0.1", "private"),
    ("172.31.255.255", "private"),
    ("192.168.1.1", "private"),
    ("100.64.0.1", "private"),
    ("198.18.0.1", "private"),
    ("fc00::1", "private"),
    ("fec0::1", "private"),
    ("::ffff:10.0.0.1", "private"),
    ("::10.0.0.1", "private"),
    ("2002:7f00:1::", "private"),
    ("64:ff9b::a00:1", "private"),
    ("169.254.169.254", "never"),
    ("169.254.0.1", "never"),
    ("fe80::1", "never"),
    ("::ffff:169.254.169.254", "never"),
    ("64:ff9b::a9fe:a9fe", "never"),
    ("2002:a9fe:a9fe::", "never"),
    ("fd00:ec2::254", "never"),
    ("100.100.100.200", "never"),
    ("168.63.129.16", "never"),
    ("0.0.0.0", "never"),
    ("::", "never"),
    ("224.0.0.1", "never"),
    ("ff02::1", "never"),
    ("255.255.255.255", "never"),
]


@pytest.mark.parametrize("address, expected", REACHES)
def test_each_kind_of_address_is_known(address: str, expected: str) -> None:
    assert reach(ipaddress.ip_address(address)) == expected


@pytest.mark.parametrize(
    "host", ["127.1", "2130706433", "0x7f000001", "0x7f.0.0.1", "017700000001", "0177.0.0.1"]
)
def test_an_address_is_recognized_however_it_is_written(host: str) -> None:
    assert str(read_ip(host)) == "127.0.0.1"


@pytest.mark.parametrize("host", ["example.org", "q5", "1.2.3.4.5", "0x.example", "dead.beef"])
def test_a_name_is_no_address(host: str) -> None:
    assert read_ip(host) is None


TIDY = [
    ("https://query.wikidata.org/sparql", "https://query.wikidata.org/sparql"),
    ("  http://dbpedia.org/sparql?a=b#top ", "http://dbpedia.org/sparql?a=b"),
    ("HTTPS://Example.ORG:8443/x", "https://Example.ORG:8443/x"),
    ("http://bücher.example/", "http://bücher.example/"),
]


@pytest.mark.parametrize("typed, tidy", TIDY)
def test_a_good_address_is_tidied(typed: str, tidy: str) -> None:
    assert check_address(typed, False) == tidy


@pytest.mark.parametrize(
    "typed, words",
    [
        ("", "empty"),
        ("   ", "empty"),
        ("http://" + "a" * 70_000, "too long"),
        ("query.wikidata.org/sparql", "begins with http"),
        ("file:///etc/passwd", "begins with http"),
        ("javascript:alert(1)", "begins with http"),
        ("http:/x.example/", "begins with http"),
        ("http:///sparql", "begins with http"),
        ("http://x.example:99999/", "look at its host and port"),
        ("http://x.example:http/", "look at its host and port"),
        ("http://x.example:0/", "port 0"),
        ("http://[::1/", "look at its host and port"),
        ("http://someone:word@x.example/", "leave user name and password out"),
        ("http://x.example\\@10.0.0.1/", "no spaces, backslashes"),
        ("http://x.example/a b", "no spaces, backslashes"),
        ("http://x.exa\nmple/", "no spaces, backslashes"),
        ("http://x.example/\x00", "no spaces, backslashes"),
        ("http://a.example/\u2028b", "no spaces, backslashes"),
        ("http://a..b/", "no host that can be looked up"),
        ("http://" + "a" * 300 + ".example/", "no host that can be looked up"),
        ("http://x_y<z>.example/", "no host that can be looked up"),
        ("http://:80/", "no host that can be looked up"),
        ("http://127.0.0.1:7200/", "KGCORE_ALLOW_PRIVATE_ENDPOINTS"),
        ("http://①②⑦.⓪.⓪.①/", "KGCORE_ALLOW_PRIVATE_ENDPOINTS"),
        ("http://graph.localhost./", "KGCORE_ALLOW_PRIVATE_ENDPOINTS"),
    ],
)
def test_a_bad_address_gets_one_clear_line(typed: str, words: str) -> None:
    with pytest.raises(InputError, match=words) as caught:
        check_address(typed, False)
    assert "\n" not in str(caught.value)
    assert "word@" not in str(caught.value)


@pytest.mark.parametrize(
    "typed", ["http://127.0.0.1:7200/x", "http://localhost/", "http://10.0.0.9/"]
)
def test_private_addresses_are_open_where_the_operator_says_so(typed: str) -> None:
    assert check_address(typed, True) == typed


@pytest.mark.parametrize(
    "url, shown",
    [
        ("http://Example.org:80/x", "example.org"),
        ("https://example.org:443", "example.org"),
        ("https://example.org:80/", "example.org:80"),
        ("http://[::1]:7878/", "[::1]:7878"),
        ("http://bücher.example./", "xn--bcher-kva.example"),
    ],
)
def test_a_host_is_shown_as_people_read_it(url: str, shown: str) -> None:
    assert origin(url) == shown


def test_of_several_addresses_only_those_that_may_be_asked_are_used() -> None:
    found = ["169.254.1.1", "10.0.0.1", "93.184.216.34", "fe80::1%eth0"]
    for allow_private, expected in ((False, found[2:3]), (True, found[1:3])):
        guard = Guard(allow_private, lambda host, port: found)
        assert [str(a) for a in guard.addresses("graph.invalid", 80)] == expected
