"""Let an agent of smolagents answer. Arguments: address, key, text."""

import sys

from smolagents import CodeAgent, OpenAIServerModel

url, key, text = sys.argv[1:]
model = OpenAIServerModel(model_id="memsite", api_base=f"{url}/v1", api_key=key)
CodeAgent(tools=[], model=model, max_steps=1).run(text)
