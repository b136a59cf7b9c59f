"""What stands before an option, as tables: languages line by line (see `words`)."""

from __future__ import annotations

from .words import Role, entries

BEFORE: dict[int, str] = {}
"""Role → words and phrases."""

BEFORE[Role.ANSWER] = """
what remains, what is left, what's left, vastaus on, odpowiedź to, odpověď je, odgovor je, answer, ans, solution,
conclusion, verdict, prediction, correct, correctly, answers are, final :, final answer, final decision, final selection,
final pick
my choice, my pick, my guess, my reply, best guess, the choice, our choice, my vote, my bet, my selection, my response, my decision
antwort, lösung, richtig ist, richtig wäre, réponse, reponse, bonne option, option correcte, bonne réponse
respuesta, solución, opción correcta, alternativa correcta, alternativa correta, resposta, opção correta,
letra correta, solução
risposta, opzione corretta, soluzione, antwoord, svaret, svar, vastaus, odpowiedź, odpowiedz, odpowiedzią, odpověď,
odpoveď
válasz, megoldás, răspuns, răspunsul, raspunsul, cevap, cevabı, cevabım, yanıt, đáp án, câu trả lời, trả lời, jawaban,
jawabannya, jawapan, odgovor, atsakymas
ответ, ответом, верный вариант, правильный вариант, правильным ответом, відповідь, отговор, апантηση, απάντηση,
απαντηση
верно, правильно, 答案, 答, 答え, 正解, 正确选项, 正确的选项, 正確選項, 正確的選項, 正确的是, 正確的是, 结论, 結論, 解答, 回答, 正しい選択肢, 正しいの, 最终答案, 正确答案, 正確答案
정답, 답변, 해답, 답안, 답, الإجابة, الاجابة, إجابة, إجابتي, الجواب, جواب, پاسخ, התשובה, תשובה, उत्तर, जवाब, উত্তর, คำตอบ,
பதில்
"""

MERITS = """
correct, best, likely, plausible, probable, appropriate, accurate, suitable, reasonable, logical, valid, proper, fitting,
matching, consistent, true, desired
"""
NOUNS = """
answer, option, choice, one, match, fit, image, picture, piece, view, arrow, candidate, response, solution, step, selection,
state, shape, statement, net, figure, diagram, cube, block, letter
"""
"""Each merit with each noun announces an answer, too: "the most plausible piece is"."""
PLAIN_MERITS = "right, final, remaining, closest, chosen, selected, preferred, only"
PLAIN_NOUNS = "answer, option, choice, match, fit, candidate, response, solution, selection, letter"
"""With these only such nouns do: "the right arrow", "the final step" and "the closest piece" are something else."""

BEFORE[Role.ORDER] = """
order, ordering, sequence, arrangement, arranged, ordered, permutation, progression, arrange them
reihenfolge, abfolge, ordre, séquence, orden, secuencia, ordem, sequência, ordine, sequenza, volgorde
порядок, порядке, последовательность, kolejność, thứ tự, trình tự, urutan, sıralama, sıra, pořadí, ordning
顺序, 順序, 次序, 序列, 排序, 排列, 順番, 並び, 순서, 배열, الترتيب, ترتيب, التسلسل, क्रम, ลำดับ
"""

CHOOSE = """
choose, chose, chosen, choosing, chosen option, chosen answer, pick, picked, picking, select, selected, selecting
selected option, selected answer, opt for, opted for, opting for, go for, go with, going with, went with, goes with
vote for, prefer, favor, favour, lean toward, lean towards, leaning toward, leaning towards, settle on, settled on
stick with, sticking with, answer with, answer as, lock in, locking in, end up with, ended up with, ending up with
"""
"""English verbs whose subject must be the model; the others tell it by their form."""
BEFORE[Role.CHOOSE] = f"""
{CHOOSE}
i vote, answer's, choice's, my vote goes to, my choice goes to
wähle, nehme, entscheide mich für, choisis, choisirais, elijo, escojo, elegiría, selecciono, escolho, seleciono, scelgo
выбираю, выберу, chọn, wybieram, vælger, väljer, kies
选, 選, 选择, 選擇, 选取, 選取, 选的是, 应选, 應選, 故选, 故選
"""

BEFORE[Role.CONCLUDE] = """
so, thus, therefore, hence, consequently, accordingly, ergo, in conclusion, overall, that means, which means,
to sum up, in summary, in short, we conclude, i conclude, this implies, this gives us, i would argue for, i'd argue for
i arrive at, we arrive at, leading us to, leads us to, i'd bet on, i would bet on, i'll take, i'd take, i reckon
this means
leaving, leaves, leaving only, leaves only, leaving us with, leaves us with, must be, has to be, have to be, got to be,
i'd say, i would say, i say, i'll say, on balance, all in all, all things considered, left with, going to say, will say, just say, have to say, want to say
daher, folglich, somit, deshalb, donc, así que, por tanto, por lo tanto, entonces, portanto, logo, então, quindi,
dunque, perciò
поэтому, значит, следовательно, итак, отже, więc, dus, derfor, derför, sonuç olarak, vậy, jadi
因此, 所以, 故, 综上, 綜上, 综上所述, 则, 則, よって, したがって, ゆえに, そのため, つまり, 따라서, 그러므로, 그래서, لذلك, إذن, इसलिए, ดังนั้น
"""

BEFORE[Role.CORRECT] = """
wait, no, nope, actually, sorry, correction, corrected, i mean, i meant, rather, instead, scratch that, on second thought, oops,
hmm, hm, hmmm
but, make that, edit, update, in fact, or rather, sondern, doch, mais, sino, pero, mas, ma, bensì, а, но
不, 不对, 不對, 而是, 应该是, 應該是, 等等, ではなく, じゃなく, ではなくて, いや, 待って, やはり, 아니, 아니라, 아니다, بل, नहीं
"""

BEFORE[Role.HINT] = """
i think, i believe, i guess, i'd guess, i suspect, i suppose, i assume, i presume, i imagine, i'm thinking, probably, likely, most likely, maybe, perhaps,
possibly, think, guess, prob, its, guessing
it is, that is, this is, it's, that's, this's, it was, it would be, that would be, this would be, seems, seems to be,
appears, appears to be
looks like, look like, seems like, seem like, feels like, sounds like, resembles, might be, may be, could be, could also be, might also be, closest to, identical to,
same as
consistent with, aligns with, agrees with, points to, pointing to, match, matches, matching, correspond to, corresponds to,
corresponding to
indicates, indicate, suggests, suggest
shown in, seen in, depicted in, depicted by, illustrated in, represented by, displayed in, found in, shown by,
shown as, namely, i.e.
es ist, ich denke, ich glaube, vermutlich, wahrscheinlich, je pense, je crois, c'est, creo que, es probable, acho que,
penso che, думаю, наверное, вероятно, это
我认为, 我認為, 我觉得, 可能是, 可能, 大概, 对应, 對應, 即, 也就是, たぶん, おそらく, 아마
"""

BEFORE[Role.OR] = "but also, or, oder, ou, 或, 或者, или, o"

BEFORE[Role.COPULA] = """
is, are, was, be, becomes, equals, namely, follows, ist, lautet, wäre, est, serait, c'est, es, sería, é, seria, è,
sarebbe, är, er, este, jest
là, adalah, ialah, это, является, будет, είναι, 是, 为, 為, は, が, 이, 가, 은, 는, 选, 選, 即, 就是, 就, 应该是, 应是, 应为, 應為, هي, هو,
הוא, היא, है, คือ
"""

BEFORE[Role.LINK] = """
the one in, the one from, the one at, the one on, is, are, was, be, been, being, on, would, should, must, will, shall, has, have, 's, to, as, for, of the following, only,
or rather
the, a, an, my, our, your, this, that, it, its, it's, these, which, one, we, i, i'd, i'll, i'm, get, got, you, you're,
us, me
option, options, choice, letter, alternative, answer, ans, selection, candidate, variant, item, number, label, case,
and my, so
image, images, picture, figure, fig, diagram, view, shape, piece, part, panel, arrow, step, steps, block, brick,
drawing, photo, order, sequence, grid, net, path, state, stack, pattern, section, cross-section
labelled, labeled, marked, shown, depicted, represented, illustrated, displayed, indicated, found, given, in, by, with,
from, among, above
correct, right, best, final, most, likely, probable, probably, either, both, definitely, certainly, clearly, obviously,
undoubtedly, surely, apparently, becomes
therefore, thus, hence, then, indeed, actually, simply, just, exactly, again, now, finally, still, namely, i.e., ie,
at, that's, what
think, believe, guess, say, going, go, choose, select, pick, here, below, follows, following, let, let's, okay, ok,
yes, sure
question, problem, puzzle, task, final answer, stay, remain, remains, make, makes, making, needed, required, provided,
plausible
ist, lautet, sei, wäre, der, die, das, daher, also, somit, folglich, buchstabe, bild, richtige, richtig, antwort, dann
est, la, le, les, l'option, l'image, lettre, c'est, donc, serait, bonne, correcte, proposition, l'alternative, celle
es, el, opción, opcion, letra, sería, entonces, correcta, imagen, respuesta, correcto, lo
é, o, opção, alternativa, então, correta, imagem, resposta, seria, è, lettera, opzione, corretta, quindi, l'opzione,
immagine
het, de, optie, juiste, är, er, alternativ, vaihtoehto, este, varianta, je, jest, možnost, opcja, az, helyes
là, phương án, đáp án, hình, adalah, ialah, opsi, pilihan, gambar, huruf, seçenek, seçeneği, şıkkı, doğru, yanıt
это, вариант, варианта, буква, буквой, под, является, будет, верный, правильный, рисунок, изображение, варіант, опция,
η, είναι, το, επιλογή
是, 为, 為, 应该, 應該, 应, 應, 应该是, 应是, 应为, 應為, 选, 選, 选择, 選擇, 选项, 選項, 就是, 就, 即, 则, 乃, 图, 圖, 图片, 圖片, 图像, 最终, 最終, 正确, 正確
如下, 依次, 因此, 所以, 故, 图中, 中, 的, 项, 項, 我, 会, 會, 我的, 最, 可能, 应当, 只能, 只有, 了, 确定, 确实, 显然, 明显
は, が, の, 選択肢, 画像, 図, 正解, 答え, です, 最も, こちら, 은, 는, 이, 가, 선택지, 보기, 그림, 이미지, 번, 바로, 최종, 정답
هي, هو, الخيار, خيار, الحرف, حرف, الصورة, الصحيحة, الصحيح, النهائية, הוא, היא, האפשרות, אפשרות, הנכונה, है, विकल्प,
सही, คือ, ข้อ, ตัวเลือก
"""

BEFORE[Role.NEGATE] = """
isn't, wasn't, aren't, weren't, doesn't, don't, didn't, won't, wouldn't, shouldn't, couldn't, can't, hasn't, haven't,
hadn't, mustn't, needn't, ain't, isnt, dont, doesnt, cant
not, never, neither, nor, no longer, anything but, all but, everything but, everything except, any but, instead of, rather than, other than, except, except for,
without, nothing like
exclude, excludes, excluding, excluded, eliminate, eliminates, eliminated, eliminating, rule out, rules out, ruled out,
ruling out
discard, discards, discarding, reject, rejects, rejecting, unlike, cannot, cross out, dismiss, against, avoid, over
nicht, kein, keine, statt, anstatt, pas, non, ni, no es, não, niet, inte, ikke, ei, не, nie, ne, nem, değil, không,
bukan, δεν, κανένα
除了, 不是, 并非, 並非, 不选, 不選, 不, 而不是, 排除, 不为, 不应选, 不应该选, 不应该是, 不会是, 不可能是, 非, 没有, ليس, ليست, لا, לא, नहीं, ไม่ใช่
"""

BEFORE[Role.EXAMPLE] = """
like, as in, e.g., eg, for example, for instance, such as, example, format, like this, sample, something like, z.b., par exemple,
por ejemplo, например
例如, 比如, 格式, 例えば
"""

BEFORE[Role.GUARD] = """
if, whether, unless, suppose, supposing, assume, assuming, assumed, imagine, hypothetically, tempted, tempting,
at first, first thought
initially, initial, originally, previously, why, let's say, let's test, let's check, let's consider, let's try,
may think, might think, could think, would think
might say, could say, might argue, could argue, may choose, might choose, could choose, may pick, might pick,
could pick, people choose, people pick, some choose, someone might
not sure, not certain, not clear, unsure, unclear, not know, don't know, even though, were, although, mistaken,
mistakenly, once thought, thought the, thought that, thought it, thought this, thought maybe, earlier,
was going to say, were going to say, was about to say, would have said, you choose, you pick, you select, they choose,
last time, previous time, doubt, doubtful, skeptical, not convinced, not saying, not say, not claim, not claiming, not suggesting, not think,
not believe, don't think, don't believe, don't see, wrong to, mistake to, incorrect to
wenn, falls, angenommen, ob, si, если, ли, 如果, 假如, 假设, 若, 是否, 为什么, もし, 仮に, 만약, 만일, إذا, यदि, अगर
"""

BEFORE[Role.BLOCK] = """
not only, whether, if, depends, depend, unless, than, no, between, among, one of, choices, options, candidates, either, when,
because, since, so is, so are, so does, so do, as is, as are
"""


def _each(adjectives: list[str], nouns: list[str]) -> str:
    return ", ".join(f"{adjective} {noun}" for adjective in adjectives for noun in nouns) + "\n"


BEFORE[Role.ANSWER] += (
    _each(entries(MERITS), entries(NOUNS)) + _each(entries(PLAIN_MERITS), entries(PLAIN_NOUNS)) + "only one"
)
BEFORE[Role.NEGATE] += _each(["wrong", "incorrect", "worst"], entries(NOUNS))
