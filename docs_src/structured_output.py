from __future__ import annotations

from pydantic import BaseModel

from handfast import Agent, Runner
from handfast.testing import ScriptedModel, assistant_message


class Meeting(BaseModel):
    topic: str
    people: list[str]


model = ScriptedModel([[assistant_message('{"topic": "budget", "people": ["Ada", "陈晨"]}')]])
reader = Agent(name="Reader", output_type=Meeting, model=model)

meeting = Runner.run_sync(reader, "Ada and 陈晨 meet about the budget.").final_output_as(Meeting)
print(meeting.topic, meeting.people)
