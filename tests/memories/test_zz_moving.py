from __future__ import annotations
from datetime import UTC, datetime, timedelta
import json
import pytest, time_machine
from memories.models import Memory
from memsite.jobs import drain
from tests.api.asking import add, search

def say(api, tid, text, at=None):
    body={"role":"user","content":text}
    r=api.post(f"/api/threads/{tid}/messages", body); assert r.status_code==201, r.json()
    drain()

@pytest.mark.parametrize(("first","then","q","old","new"),[
 ("I live in Berlin","I moved to Paris","Where do I live?","Berlin","Paris"),
 ("我住在北京","我搬到上海了","我住在哪里？","北京","上海"),
])
def test_moving(alice_api, alice, first, then, q, old, new, client_of):
    from memsite.accounts.models import User
    with time_machine.travel("2026-01-05T10:00:00Z", tick=True):
        api=client_of(alice)
        t=api.post("/api/threads",{}).json()["id"]
        say(api,t,first)
    with time_machine.travel("2026-06-05T10:00:00Z", tick=True):
        say(api,t,then)
    with time_machine.travel("2026-08-05T10:00:00Z", tick=True):
        def s(**k): return [m["object"] for m in api.post("/api/memories/search",{"query":q,"layers":["semantic"],"min_similarity":0,**k}).json()["memories"]]
        out={}
        for name,k in {"now":{}, "as_of":{"as_of":"2026-03-01T00:00:00Z"},"believed":{"believed_at":"2026-03-01T00:00:00Z"},"both":{"as_of":"2026-03-01T00:00:00Z","believed_at":"2026-03-01T00:00:00Z"},"future_asof_old_belief":{"as_of":"2026-08-01T00:00:00Z","believed_at":"2026-03-01T00:00:00Z"}}.items():
            out["search "+name]=s(**k)
            r=api.get("/api/memories",{"layer":"semantic",**k}); out["list "+name]=[m["object"] for m in r.json()["results"]] if r.status_code==200 else r.json()
            r=api.get("/api/memories/graph",{"entity":"user" if 0 else "alice",**k}); out["graph "+name]=r.json()
            r=api.get("/api/memories/export",k); out["export "+name]=(r.status_code)
            r=api.post(f"/api/threads/{api.post('/api/threads',{}).json()['id']}/context",{"input":q,"max_tokens":4000,**k}); out["ctx "+name]=(r.status_code, [x for x in (old,new) if x in json.dumps(r.json().get("messages"),ensure_ascii=False)] , r.json() if r.status_code!=200 else "")
        for k,v in out.items(): print(k, json.dumps(v,ensure_ascii=False)[:600])
        assert out["search now"]==[new]
        assert out["search as_of"]==[old]
        assert out["search believed"]==[old]
        assert out["list as_of"]==[old] and out["list believed"]==[old]
    assert 0
