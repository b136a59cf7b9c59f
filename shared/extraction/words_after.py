"""What stands after an option, as tables: languages line by line (see `words`)."""

from __future__ import annotations

from .words import Role

AFTER: dict[int, str] = {}
"""Role → words and phrases."""

AFTER[Role.VERB] = """
is, are, was, were, 's, must be, has to be, should be, would be, can be, could be, seems, seem, appears, appear, looks,
look, as, be, gets, has been, have been, being
ist, sind, wäre, est, sont, es, son, é, è, sono, são, это, является, to, jest, är, er, adalah, là, 是, 为, 為, が, は, 가, 이,
은, 는, 也是, 显然, هي, هو, היא, הוא
can, could, will, would, should, may, might, do, does
"""

AFTER[Role.FILL] = """
most likely, most plausible, most probable, most suitable, most appropriate, most accurate, most consistent, better,
best-fitting, nearest matching
clearly, obviously, also, therefore, definitely, thus, indeed, then, likely, probably, certainly, the, a, an, my, our,
your, most, best, correct, right, only, final
both, all, simply, just, so, very, really, actually, in fact, thereby, hence, still, now, logical, plausible,
appropriate, accurate, suitable, reasonable, possible, more, overall
to be, be, have, been, not only, single, valid, proper, true, obvious, one, desired, required, expected, closest,
because of, of course, option
la, le, die, das, der, el, o, il, bonne, richtige, correcta, correta, corretta, правильный, верный, правильным, 明显, 显然,
最, 的, 合适, 肯定, 也, 都, 均, 正确, 最佳, 最终, 一番
"""

AFTER[Role.RIGHT] = """
most likely, most plausible, most probable, most suitable, most appropriate, most accurate, most consistent,
more likely, more plausible, correct too, right too, valid too, true too, possible too
correct, right, yes, true, valid, it, best, accurate, ✓, richtig, korrekt, correcte, correcta, correcto, correta, correto,
corretta, corretto, exacte, juste, juist, rätt, rigtigt, doğru, benar, đúng, σωστό, σωστή
верно, верен, верна, правильно, правильный, верный, правильная, правильным, правильн, prawidłowa, poprawna, správně,
správná
符合要求, 符合条件, 符合题目, 合适, 合適, 맞습니다, 맞아요, 옳습니다, 정답이다, 正确, 正確, 正确的, 正確的, 对, 對, 对的, 對的, 符合, 符合题意, 正解, 正しい, 적절, 정답, 맞, 옳, 옳은,
صحيح, الصحيح, الصحيحة, सही, ถูกต้อง, נכונה, נכון
"""

AFTER[Role.TITLE] = """
winner, what i choose, what i'd choose, what i would choose, what i pick, what i'd pick, what i would pick
odd one out, outlier, intruder, exception, anomaly, answer, choice, option, one, solution, match, pick, response, fit,
selection, candidate, answers, odd one, order, ordering, sequence
antwort, lösung, wahl, réponse, respuesta, resposta, risposta, opción, opção, antwoord, svaret, ответ, вариант,
ответом, вариантом, odpowiedź, odpowiedzią, odpověď, jawaban, đáp án, cevap
答案, 选项, 選項, 正确答案, 正確答案, 正确选项, 正確選項, 正确的选项, 最佳选项, 最佳答案, 選択肢, 答え, 正答, 답, 답변, الإجابة, الجواب, उत्तर, คำตอบ, התשובה
"""

AFTER[Role.THING] = """
view, image, picture, piece, step, state, net, shape, arrow, part, arrangement, placement, diagram, figure, brick,
result, grid, path, stack, pattern, cross-section
"""

AFTER[Role.FITS] = """
matches best, fits best, works best, fit best, matches, match, fits, fit, works, satisfies, remains, is left, is possible, survives, is consistent, meets,
wins, gets my vote, makes sense, makes the most sense, makes most sense, can work, shows this, shows that
"""

AFTER[Role.WRONG] = """
a mistake, an error, a bad choice, a trap, tempting, wrong, incorrect, invalid, false, out, off, ruled out, eliminated, excluded, impossible, unlikely, inconsistent,
mismatched, a distractor, distractors, mirrored, mirror images, a mirror image
upside down, nope, no, discarded, rejected, implausible, not it, unsuitable, irrelevant, ✗, too, neither, inaccurate,
different, missing
falsch, faux, fausse, incorrecte, incorrecta, incorrecto, incorreta, errada, errado, sbagliata, sbagliato, scorretta,
fout, fel, forkert, yanlış, salah, sai, λάθος
неверно, неверный, неверен, неверна, неправильно, неправильный, неправильная, неверным, ошибочен, błędna,
nieprawidłowa, špatně, špatná
错, 錯, 错误, 錯誤, 错的, 错误的, 不对, 不對, 不正确, 不正確, 不符合, 不符, 不可能, 不行, 排除, 被排除, 不成立, 間違い, 間違って, 誤り, 違う, 違います, 不正解, 틀, 틀린, 틀렸, 오답,
아니, 아닙니다, 아닌, خطأ, خاطئ, خاطئة, गलत, ผิด
"""

AFTER[Role.DENY] = """
isn't, wasn't, aren't, weren't, doesn't, don't, didn't, won't, wouldn't, shouldn't, couldn't, can't, hasn't, haven't,
hadn't, mustn't, needn't, ain't, isnt, dont, doesnt, cant
not, never, cannot, fails, fail, lacks, lack, fails to, has the wrong, shows the wrong, has wrong, has an incorrect,
shows an incorrect, has incorrect, shows incorrect, nicht, pas, n'est, no, não, non, niet, inte, ikke, не, nie, není,
değil, bukan, không, neither
不是, 不, 并不, 不会是, 并不是, ではな, ではなく, ではない, じゃな, ではありません, 아니라, 아니고, 아닌, 아니, ليس, ليست, नहीं, ไม่
"""

AFTER[Role.END] = """
because, since, as, given, due, based, it is, that's, thanks, rather, instead, over, not, though, please, here, for sure, for me, for now
weil, da, denn, car, parce, puisque, porque, pues, ya, perché, poiché, так, потому, поскольку, omdat, eftersom, karena,
vì, çünkü, 因为, 因為, 由于, 理由, だ, です, である, でしょう, だと, と思, になります, となります, なので, 입니다, 이다, 이에요, 예요, 임, 라고, 吧, 了, 项, 項, 选项, 選項, 번,
번입니다, 번이, 正确, 正確, 而不是, 不是, है, हैं
definitely, obviously, certainly, surely, clearly, probably, i think, i believe, i guess, i'd say, most likely, 'dir,
'dır
✓
"""
"""Also most punctuation, a line end, and the end of the reply (`context.closes`)."""

AFTER[Role.ON] = """
for, and, which, but, while, whereas, so, then, if, when, in, according, with, where
"""
