"""Every number that judgement rests on, each with its reason. Measured ones say so."""

from memory.domain import Layer

# --- analysis: what a token tells before any statistics -----------------------------------------------------------------

CONTENT_WEIGHT = 0.3
"""From this weight on a token says something about a subject."""

FUNCTION_WORD_WEIGHT = 0.1
"""Small words hold sentences together; not 0, because some are names as well ("Will", "Mark").
In a store of ten memories their statistics alone do not show how common they are."""

SINGLE_IN_RUN_WEIGHT = 0.3
"""A character of a longer Chinese run is ambiguous alone (房 in 房租 and 房间); its pairs carry the word."""

HIRAGANA_PAIR_WEIGHT = 0.5
"""Pairs of hiragana are endings about as often as words."""

HANGUL_PAIR_WEIGHT = 0.4
"""Pairs of syllables find Korean compounds; the word itself tells more."""

PART_OF_NUMBER_WEIGHT = 0.3
"""Half a date is not the date: 2027-04-15 and 2027-04-25 share two parts of three."""

NAME_WEIGHT = 1.5
"""A name in the question is the best clue there is; in a store of ten its statistics do not show that yet."""

IDENTIFIER_WEIGHT = 2.0
"""An address, a date, a time or a code asked for as a whole is what the question is about. Embedders barely tell 14:20 from
12:40 (m: the wrong appointment had 0.83, the right one 0.61)."""

SHORTEST_PHONE = 7
"""Digits of the shortest local telephone numbers; their last seven tell them apart."""

LONGEST_PHONE = 16
"""E.164 allows 15 digits, and a leading 00."""

# --- keywords -----------------------------------------------------------------------------------------------------------

BM25_K1 = 1.2
BM25_B = 0.75
"""The usual pair; memories differ in length enough for it to matter."""

TYPICAL_LENGTH = 70
"""Characters of a usual statement: between the 86 of LoCoMo's observations (m: median) and the 45 of our cases. Fixed and not
the mean of the store, so that one long memory changes nobody else's score."""

LOOSE_QUALITY = 0.8
"""A stem found is worth less than the word itself: "universal" and "university" share one."""

CANDIDATES_PER_SIDE = 50
"""The best of each side; an answer that is worse on both sides than fifty others is no answer."""

MOST_CLUES = 64
"""Matched tokens that take part in a score. What a long paste adds beyond is noise, and time."""

MOST_LOOKED_UP = 1_000
"""Distinct tokens of a long paste that are looked up: a Telegram message of 4,096 characters has fewer."""

CLUES_OF_A_FULL_ANSWER = 8
"""A memory that holds the eight most telling words of a question covers it, however long the rest of the paste is."""

# --- vectors ------------------------------------------------------------------------------------------------------------

UNIT_LENGTH_TOLERANCE = 1e-3
"""float32 rounding of 384 to 1,024 dimensions stays well below; a vector that was not normalised does not."""

MATRIX_GROWTH = 8
"""A full matrix grows by an eighth: few copies, and never a quarter of its memory unused."""

ROWS_READ_AT_ONCE = 2_000
"""Loading a scope holds this many vectors twice: 3 MB."""

ALWAYS_FOLLOWED = 64
"""So many changed rows are read one by one even in a small scope; beyond, and beyond half of it, all is read again."""

WORN_ROWS = 1_000
"""Dead rows that a scope's keywords may hold before they are read again, beside a quarter of those alive."""

MIRROR_IDLE_S = 1_800.0
"""A scope nobody asked about for half an hour leaves memory when another one comes. Loading 1,000 rows takes 15 ms."""

# --- embedding ----------------------------------------------------------------------------------------------------------

EMBEDDED_CHARS = 2_000
"""More characters than any model here reads tokens for; a memory has at most 600."""

EMBEDDED_TOKENS = 256
"""What all-MiniLM-L6-v2 was trained on. Longer input costs memory by the square and says little more."""

EMBEDDING_BATCH = 16
EMBEDDING_BATCH_CHARS = 1_600
"""At most this many texts at once, and this many characters, each text counted like the longest of them. (m) 16 texts of
512 tokens took the process from 300 MB to 1.5 GB, 8 of 256 to 560 MB; so it stays within 100 MB of idle."""

EMBEDDING_THREADS = 1
"""A second thread saves 2 ms of 6.5 a question and then spins for 20 ms of processor time that the turn needs (measured)."""

QUERIES_REMEMBERED = 128
"""Vectors of the last questions, 200 kB: the turn and its reflection, or a repeat, ask for the same."""

# --- recall -------------------------------------------------------------------------------------------------------------

KEYWORD_WEIGHT = 0.5
"""Keywords beside a cosine. (m) R@10 stays within 0.005 for 0.3 to 0.6; the derivation stands in `recall.fusion`."""

IDENTIFIER_BOOST = 2.0
"""So much heavier keywords get when all that matched are addresses, dates, times or codes: 14:20 is not 12:40, whatever the cosine."""

COMPANY_WEIGHT = 0.5
"""The nearest of the same day and subject beside the cosine. (m) +0.017 of R@10 against none; 0.4 to 0.8 alike."""

CENTRE_PRIOR = 10
"""Memories that the neutral questions stand for in the centre of a store. (m) 0 to 20 alike with hundreds; it carries the first ten."""

CENTRE_DRIFT = 1e-3
"""How far a store's centre may move before distances to it are measured again: a row's then changes by less than 0.2 %."""

BLUR_WORDS = 32
"""Words of a long question. A vector of more is a blur, so it counts in proportion, and words that no memory has are not asked for."""

NEAR_WEIGHT = 0.75
"""What a date in the question adds to memories of that date. (m) +0.011 of R@10; 0.3 to 1.5 alike. LoCoMo's questions flatter it:
they name the days of the conversation."""

NEAR_DAYS = 14
"""A date that fits fades within a fortnight. (m) 7, 15 and 30 days alike."""

# --- abstention ---------------------------------------------------------------------------------------------------------

SMALL_STORE, USUAL_STORE = 20, 200
"""Below the first the smallest floor holds; from there to the second it grows with the logarithm, as the best of n chances does."""

SMALL_FLOOR, USUAL_FLOOR = 0.22, 0.41
"""Evidence that a question's best memory must have, in stores of these sizes. (m) With MiniLM 0.41 refuses 86 % of other stores'
questions for 0.009 of R@10, 0.42 refuses 88 % for 0.015, 0.43 refuses 90 % for 0.023."""

SMALL_NULL, USUAL_NULL = 0.255, 0.34
"""(m) Mean + 2.5 standard deviations of the best evidence that the neutral questions find in stores of these sizes, with MiniLM:
0.256 ± 0.015 of 20 memories, 0.296 ± 0.012 of 60 (between them by the logarithm), 0.331 to 0.348 of 184 to 267."""

NULL_DEVIATIONS = 2.5
"""99 % of a normal distribution."""

NULL_TRUST = 0.25
"""How far a store's own null moves the floor. (m) By itself it tells nothing: fixed floors do as well. 64 maxima know a tail to
no better than 0.02."""

HIGHEST_FLOOR = 0.6
"""A store about everything must still be able to answer; real answers lie above this."""

KEYWORD_FLOOR = 0.10
"""The floor where the embedder sees nothing and words decide: one pair of characters out of eight or so."""

FLOOR_SHARE = 0.25
"""Of the floor, for the other memories once the best cleared it. (m) 0.4 would cost 0.002 of R@10."""

NAMED_BAR = 0.7
NAMED_IN = 8
"""Of the bar, for a memory that holds a name of the question, or begins with just the thing it asks about, which at most eight hold:
"I cook for Signe, what must not be in it?" shares nothing else with her allergy, nor "which shade for the walls of the study?"
with its colour. (m) 0.85 refuses .004 more of other stores' questions, 0.5 .018 less."""

VOLUNTEERED_IMPORTANCE = 5
"""Beside a statement nothing lighter comes up: nobody asked, and an everyday remark said twice is still one."""

ASKED_COVERAGE = 0.5
"""Share of a question that a single word makes up where the question is about it: "where is the parcel?", not "tell me something
funny"."""

PASSING_AT_ONCE = 2
"""Of lighter memories of the buffer, to which nobody came back."""

OUTSTANDING_SHARE, OUTSTANDING_BY = 0.75, 0.10
"""Of the bar, for the one memory whose evidence lies by so much above every other's. Where nothing fits, the best is one of many
(m: such a lead opens a store to 1.4 % of other stores' questions, and to 3 % of its own that fail the bar otherwise)."""

SPECIFIC_WORDS = 2
"""A hit that needs no cosine holds as much information as two words that no other memory has."""

SPECIFIC_SHARE = 0.5
"""And half of the memory's own content words."""

COLD_COVERAGE = 0.5
"""An archived memory comes back for a question of which it covers half, with two words' worth that only it has."""

COLD_DISCOUNT = 0.75
"""What sleeps stands behind what answers as well awake."""

COLD_LIMIT = 8
"""The most archived or replaced memories that one question looks at: the bar lets one or two pass."""

CANDIDATES_ASLEEP = 200
"""Archived memories looked at for a question; most of them are passing talk that never settled."""

WOKEN_IMPORTANCE = 4
"""Less is missed by nobody; an important one is archived when it has fallen to 6, an everyday one at 5 or 4."""

WOKEN_ABOVE = 0.05
"""Evidence by which what sleeps must be better than what is awake: nearly as good is not what was asked for."""

WOKEN_AT_ONCE = 2
"""The most that comes back from the archive because of what a question means: the answer, and one beside it."""

RECALIBRATED_AT = 0.2
"""A floor is measured again when the store has grown or shrunk by a fifth; the floor moves with the logarithm of its size."""

# --- gate and selection -------------------------------------------------------------------------------------------------

IMPORTANCE_WEIGHT = 0.2
RECENCY_WEIGHT = 0.1
"""Enough to decide between equals. (m) Added instead of multiplied they take R@10 from 0.79 to 0.16."""

RECALL_LIMIT = 16
RECALL_TOKENS = 1_200
"""What a small model still reads with attention, and what fits beside a history."""

AS_GOOD_WITHIN = 0.1
"""Evidence that a later statement of the same matter may lack and still stand first. (m) The evidence of two values differs by .06
in 99 of 100 pairs, in other wordings by .09; R@10 moves by -.001."""

COMPARED_FOR_AGE = 32
"""The best of a question that are compared with each other: twice as many as it gets."""

TERMS_SHOWN = 8
"""Shared words that an explanation names."""

LEFT_OUT_KEPT = 20
"""Candidates whose parts are kept with the turn, to explain why they did not make it."""

DIGITS_KEPT = 4
"""Of a score's parts; more is noise."""

# --- lifecycle ----------------------------------------------------------------------------------------------------------

HOURS_OF_WEEK = 168.0
"""Decay rates are per lived week."""

DECAY_RATES = {Layer.BUFFER: 5.0, Layer.WORKING: 1.0, Layer.CORE: 0.01}
"""Buffer is gone within days, working within weeks, core practically never. 0.995 an hour, the usual choice, is a rate of 0.842."""

LASTING_RATE = 0.01
"""How to do a thing and what was learned from a mistake are needed seldom, and then badly."""

WORKING_DAYS = 2
"""Two occasions: what comes up on a second day was not of the first day only."""

LASTING_IMPORTANCE, LASTING_HOURS = 6, 24.0
"""What was rated useful for weeks, and outlived its day (lived hours) without being contradicted, is no noise of that day."""

CORE_IMPORTANCE, CORE_DAYS, CORE_SPAN_DAYS = 7, 3, 7
"""Three days of mention or use over a lived week: longer than any one matter of the day."""

CORE_IDLE_DAYS = 180
"""Lived days without use after which even the core lets go: half a year of daily talk."""

FADING_DAYS = 60
"""Lived days without use or mention that cost a point of importance: an over-rated 8 is archivable after four months."""

KEPT_IMPORTANCE = 7
"""What matters stays out of the archive until its importance has fallen."""

ARCHIVED_BELOW = 0.1
"""Importance 2 gets there after three weeks unused in working, after four days in the buffer."""

INFLATED_IMPORTANCE, INFLATED_SHARE, INFLATION_AMONG, INFLATION_LEAST = 7, 0.2, 200, 20
"""A model that rates more than a fifth of the last 200 additions with 7 or more is read relative to itself, once there are 20."""

INFLATED_A_DAY = 1.0
"""And only while these are more than one for each day they took: a model that adds nothing but what matters, a few times a week,
is no inflated one (m: ranked among themselves, a group's facts of importance 7 became 5 and were gone within the week)."""

SANE_SHARES = (0.02, 0.12, 0.30, 0.45, 0.80, 0.88, 0.94, 0.975, 0.992, 1.0)
"""The share of additions with at most 1, 2, … 10 that a sane model gives: most of what people say is passing. Ratings that
are all alike become 5."""

# --- triggers -----------------------------------------------------------------------------------------------------------

CUES_A_LESSON = 8
"""Phrases, and as many tools. What needs more situations than that to come up is no lesson but a habit of every answer."""

CUE_CHARS = 100
"""A cue is a few words; of a longer one, all of whose words must be said, nobody would ever say them all."""

LESSONS_A_TURN = 3
"""Lessons that a message or a tool call forces into a prompt. A small model heeds few orders, and the rest of the slots is for
what was asked."""

CUE_COOLDOWN_MINUTES = 10.0
"""Within one sitting: the answer that heeded the lesson still stands in the history."""

CUE_NEARNESS = 0.40
"""(m) Cosine of message and phrase from which a phrase was meant, with MiniLM. Twenty lessons: 57 % of 60 messages that mean one
in other words fire it, and 0.9 % of 111 everyday and of 1,500 LoCoMo sentences fire any. What shares the topic without
meaning it fires nearly always (14 of 17): a threshold cannot tell "the pizza was good" from "order a pizza"."""

CUE_NEARNESS_MULTILINGUAL = 0.42
"""(m) The same for the multilingual model: 35 % fire theirs, 0 % and 0.3 % of the others any."""

COMMON_SHARE = 0.2
COMMON_AMONG = 200
COMMON_LEAST = 20
"""A cue said in more than a fifth of the last 200 messages of people (there must be 20) tells no situation from another."""

COMMON_CHARS = 500
"""Of each of those messages: what people write fits, and 200 pastes do not take a second to read."""

# --- hygiene and undo ---------------------------------------------------------------------------------------------------

HYGIENE_COSINE = 0.72
"""(m) Paraphrases lie at 0.74 to 0.93 with MiniLM; so do contradictions. From here on a pair is worth a question to the model."""

PARAPHRASES_MISSED = 0.07
"""Share of the built-in paraphrases that the threshold for a pair may miss."""

LOWEST_HYGIENE_COSINE, HIGHEST_HYGIENE_COSINE = 0.55, 0.9
"""Below the first an embedder sees likeness everywhere, above the second nowhere: then a threshold tells nothing about it."""

SAME_MATTER = 0.5
"""Of the shorter statement's content, for two to be put to the model as perhaps the same matter: "the tent is in the …"."""

FRAME_WORDS, VALUE_WORDS = 3, 4
"""Words (characters, where there are no blanks) that two statements share around a value, at least, and of a value, at most."""

HYGIENE_BLOCK = 768
"""Rows of one block of the matrix product: 768 by 768 take some 10 ms, and the numbers that come out 2.4 MB."""

CLUSTER_SIZE = 8
"""What a small model can still compare, and the most that one wrong answer can put together."""

PAIRS_A_PASS = 5_000
"""Pairs looked at in one group and pass, the nearest first; a store of copies is worked off in several."""

KEPT_CONTENT = 0.6
"""Of the words that matter in each statement, in some form, a merge keeps at least so many: room for another verb, not for
another drink."""

UNDO_DAYS = 30
"""How long a change can be taken back."""

QUARANTINE_DAYS = 30
"""Lived days that a claim waits for a person to confirm it: what matters comes up again within a month of talk, and for as long
as any change it can be taken back."""
