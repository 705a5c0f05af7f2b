from __future__ import annotations
import pytest
from memories.models import Memory
from tests.api.asking import add, search
Y2020="2020-01-01T00:00:00Z"
def _lives(c, city, **f):
    return add(c, f"The user lives in {city}.", subject="user", predicate="lives in", object=city, **f)
def g(c, a): return c.get(f"/api/memories/{a['memory']['id']}").json()["status"]

def test_slot_forget_restore(alice_api):
    a,b=_lives(alice_api,"Berlin",valid_from=Y2020),_lives(alice_api,"Paris",valid_from=Y2020)
    alice_api.delete(f"/api/memories/{a['memory']['id']}")
    r=alice_api.post(f"/api/memories/{a['memory']['id']}/restore")
    assert (r.json()["memory"]["status"], g(alice_api,b))==("disputed","disputed")

def test_slot_unsure_forget_restore(alice_api):
    a,b=_lives(alice_api,"Berlin",confidence=.9),_lives(alice_api,"Paris",confidence=.6)
    assert b["action"]=="disputed"
    for x,y in ((a,b),(b,a)):
        alice_api.delete(f"/api/memories/{x['memory']['id']}")
        assert g(alice_api,y)=="active"
        r=alice_api.post(f"/api/memories/{x['memory']['id']}/restore")
        assert (r.json()["memory"]["status"], g(alice_api,y))==("disputed","disputed")

def test_resolved_both_then_forget_restore(alice_api):
    a,b=_lives(alice_api,"Berlin",valid_from=Y2020),_lives(alice_api,"Paris",valid_from=Y2020)
    alice_api.post(f"/api/memories/{b['memory']['id']}/resolve", {"how":"both"})
    alice_api.delete(f"/api/memories/{a['memory']['id']}")
    r=alice_api.post(f"/api/memories/{a['memory']['id']}/restore")
    assert (r.json()["memory"]["status"], g(alice_api,b))==("active","active")

def test_undo_of_restore_and_forget(alice_api):
    a,b=_lives(alice_api,"Berlin",valid_from=Y2020),_lives(alice_api,"Paris",valid_from=Y2020)
    d=alice_api.delete(f"/api/memories/{a['memory']['id']}").json()
    r=alice_api.post(f"/api/memories/{a['memory']['id']}/restore").json()
    u=alice_api.post("/api/memories/undo", {"batch_id": r["batch_id"]})
    assert u.status_code==200
    assert (g(alice_api,a), g(alice_api,b))==("forgotten","active")
    u=alice_api.post("/api/memories/undo", {"batch_id": d["batch_id"]})
    print(u.json())
    assert u.status_code in (200,409)

def test_freetext_forget_restore(alice_api, alice):
    from memories.reports import conflicts as rc
    a=add(alice_api,"The user is allergic to peanuts.")
    b=add(alice_api,"The user is not allergic to peanuts.")
    from memories.store import writing
    from memories.models.event import EventType
    from memories.models.link import LinkKind
    with writing(owner=alice.pk, actor="t", reason="x") as w:
        rows=[Memory.objects.get(pk=x["memory"]["id"]) for x in (a,b)]
        for r in rows: w.change(r, EventType.DISPUTED, status="disputed")
        w.link(rows[0], rows[1].pk, LinkKind.DISPUTES, reason="negation")
    for x,y in ((a,b),(b,a)):
        alice_api.delete(f"/api/memories/{x['memory']['id']}")
        assert g(alice_api,y)=="active"
        r=alice_api.post(f"/api/memories/{x['memory']['id']}/restore")
        assert (r.json()["memory"]["status"], g(alice_api,y))==("disputed","disputed")
    # both
    for x in (a,b): alice_api.delete(f"/api/memories/{x['memory']['id']}")
    r=alice_api.post(f"/api/memories/{a['memory']['id']}/restore"); assert r.json()["memory"]["status"]=="active"
    r=alice_api.post(f"/api/memories/{b['memory']['id']}/restore"); assert r.json()["memory"]["status"]=="disputed"
    assert g(alice_api,a)=="disputed"
