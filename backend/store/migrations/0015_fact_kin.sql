-- Who goes by several words, mum and mother, is one subject: the slots of facts have the same word for them.
UPDATE fact SET slot = kin.name || substr(fact.slot, instr(fact.slot, char(31)))
FROM (SELECT column1 AS word, column2 AS name FROM (VALUES
  ('auntie', 'aunt'), ('boyfriend', 'partner'), ('dad', 'father'), ('daddy', 'father'), ('doggy', 'dog'),
  ('fiance', 'partner'), ('fiancee', 'partner'), ('fiancé', 'partner'), ('fiancée', 'partner'), ('flatmate', 'roommate'),
  ('girlfriend', 'partner'), ('gran', 'grandmother'), ('grandad', 'grandfather'), ('granddad', 'grandfather'), ('grandma', 'grandmother'),
  ('grandpa', 'grandfather'), ('granny', 'grandmother'), ('housemate', 'roommate'), ('husband', 'partner'), ('kid', 'child'),
  ('mama', 'mother'), ('mom', 'mother'), ('mommy', 'mother'), ('mum', 'mother'), ('mummy', 'mother'),
  ('nana', 'grandmother'), ('papa', 'father'), ('pup', 'puppy'), ('spouse', 'partner'), ('wife', 'partner'),
  ('丈人', 'father-in-law'), ('丈夫', 'partner'), ('丈母娘', 'mother-in-law'), ('伴侣', 'partner'), ('儿子', 'son'),
  ('公公', 'father-in-law'), ('哥', '哥哥'), ('外祖母', '外婆'), ('外祖父', '外公'), ('大哥', '哥哥'),
  ('大姐', '姐姐'), ('太太', 'partner'), ('女儿', 'daughter'), ('女友', 'partner'), ('女朋友', 'partner'),
  ('妈', 'mother'), ('妈咪', 'mother'), ('妈妈', 'mother'), ('妹', '妹妹'), ('妻子', 'partner'),
  ('姐', '姐姐'), ('姑妈', '姑姑'), ('姥姥', '外婆'), ('姥爷', '外公'), ('姨', '姨妈'),
  ('婆婆', 'mother-in-law'), ('媳妇', 'partner'), ('孩子', 'child'), ('宝宝', 'child'), ('室友', 'roommate'),
  ('小孩', 'child'), ('小狗', 'puppy'), ('小猫', 'kitten'), ('岳母', 'mother-in-law'), ('岳父', 'father-in-law'),
  ('弟', '弟弟'), ('未婚夫', 'partner'), ('未婚妻', 'partner'), ('母亲', 'mother'), ('爱人', 'partner'),
  ('父亲', 'father'), ('爸', 'father'), ('爸爸', 'father'), ('爹', 'father'), ('狗', 'dog'),
  ('狗狗', 'dog'), ('猫', 'cat'), ('猫仔', 'kitten'), ('猫咪', 'cat'), ('男友', 'partner'),
  ('男朋友', 'partner'), ('祖母', '奶奶'), ('祖父', '爷爷'), ('老丈人', 'father-in-law'), ('老公', 'partner'),
  ('老妈', 'mother'), ('老婆', 'partner'), ('老爸', 'father'), ('配偶', 'partner'), ('阿姨', 'aunt')
)) kin
WHERE substr(fact.slot, 1, instr(fact.slot, char(31)) - 1) = kin.word;
-- Of what came into one chain by this only the last is true.
WITH line AS (
  SELECT id, lead(id) OVER said AS next, lead(max(said_at, confirmed_at)) OVER said AS at FROM fact
  WHERE deleted_at = 0 AND hidden = 0 AND valid_to = 0
  WINDOW said AS (PARTITION BY agent_id, slot ORDER BY max(said_at, confirmed_at), id)
)
UPDATE fact SET valid_to = line.at, replaced_by = line.next FROM line WHERE line.id = fact.id AND line.next IS NOT NULL;
