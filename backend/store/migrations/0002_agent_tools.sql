-- Names of the tools that the model of the agent is not given.
ALTER TABLE agent ADD COLUMN tools_off TEXT NOT NULL DEFAULT '[]';
