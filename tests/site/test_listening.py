"""The listening socket."""

from __future__ import annotations

import socket

import pytest

from memsite.serving.supervision.listening import CannotListen, FirstAnswer, open_listener


def test_taken_port_is_told_with_the_setting_to_change() -> None:
    with open_listener("127.0.0.1", 0) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(CannotListen, match=f"port {port} .* taken .* PORT="):
            open_listener("127.0.0.1", port)


def test_host_that_is_no_address_is_told() -> None:
    with pytest.raises(CannotListen, match="MEMSITE_HOST"):
        open_listener("no such host", 0)


def test_connection_waits_while_nobody_accepts() -> None:
    with (
        open_listener("127.0.0.1", 0) as listener,
        socket.create_connection(listener.getsockname()) as client,
    ):
        accepted, address = listener.accept()
        accepted.close()
        assert address == client.getsockname()


def test_first_answer_is_noticed_once_it_has_come() -> None:
    with open_listener("127.0.0.1", 0) as listener:
        answer = FirstAnswer(listener)
        assert not answer.has_come()
        accepted, _ = listener.accept()
        with accepted:
            accepted.recv(1000)
            assert not answer.has_come()
            accepted.sendall(b"HTTP/1.1 200 OK\r\n\r\n")
            assert answer.has_come()


def test_lost_request_is_sent_again() -> None:
    with open_listener("127.0.0.1", 0) as listener:
        answer = FirstAnswer(listener)
        assert not answer.has_come()
        listener.accept()[0].close()
        assert not answer.has_come()
        assert not answer.has_come()
        listener.accept()[0].close()
        answer.close()
