package io.anabranch.rules.planner.encrypt.stored;

import io.anabranch.rules.lexer.LexerMode;
import io.anabranch.rules.lexer.Scan;
import io.anabranch.rules.lexer.Scan.SlotKind;
import io.anabranch.rules.lexer.SourceText;
import io.anabranch.rules.lexer.SqlScanner;
import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.model.encrypt.EncryptedColumn;
import io.anabranch.rules.plan.slot.SlotValues;
import io.anabranch.rules.plan.slot.SqlBuffer;
import io.anabranch.rules.plan.slot.TextSlotValues;
import io.anabranch.rules.rewrite.ItemNames;
import io.anabranch.rules.rewrite.Piece;
import io.anabranch.rules.rewrite.SourceEdits;
import io.anabranch.rules.syntax.CommonTables;
import io.anabranch.rules.task.PlanTask;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Iterator;
import java.util.List;
import java.util.TreeMap;

/**
 * A client's text on its way to one over stored columns, and which of its tokens have been
 * understood. Used once.
 */
public final class StoredText {

  /** A literal of the proxy's own. */
  static final int OWN = -1;

  private static final byte[] MARKER = {'?'};

  /** In the place of a literal until it is bound: no plain value gets into a plan. */
  private static final byte[] PLACE = "'(encrypted)'".getBytes(StandardCharsets.US_ASCII);

  private final PlanTask task;
  private final SourceText source;
  private final SqlTokens tokens;
  private final SourceEdits edits;
  private final int slotCount;
  private final List<StoredForm> forms = new ArrayList<>();
  private final BitSet understood = new BitSet();
  private boolean changed;

  /** Whether values are part of the text: a server keeps it. */
  private boolean isKept;

  public StoredText(PlanTask task) {
    this(task, task.source(), task.scan().slotCount());
  }

  private StoredText(PlanTask task, SourceText source, int slotCount) {
    this.task = task;
    this.source = source;
    this.tokens = source.tokens();
    this.edits = new SourceEdits(source);
    this.slotCount = slotCount;
  }

  /** A query as a server tells it: it is looked at, and not {@link #written}. */
  public static StoredText told(PlanTask task, String query) {
    return new StoredText(task, SourceText.of(query, LexerMode.DEFAULT), 0);
  }

  /** The statement is a definition: its values are literals, and are written into it. */
  public void keep() {
    isKept = true;
  }

  /** Whether values of encrypted columns are in the text. */
  public boolean hasValues() {
    return !forms.isEmpty();
  }

  public SourceText source() {
    return source;
  }

  public SqlTokens tokens() {
    return tokens;
  }

  public CommonTables commonTables() {
    return task.commonTables(tokens);
  }

  /** The tokens have a place that is known. */
  public void understand(int first, int behind) {
    understood.set(first, Math.max(first, behind));
  }

  public boolean isUnderstood(int token) {
    return understood.get(token);
  }

  public Piece text(String text) {
    return edits.text(text);
  }

  /** A value of the client's as one of the stored columns has it. */
  public Piece value(
      int slot, EncryptedColumn column, EncryptedColumn.Stored stored, StoredForm.Purpose purpose) {
    var form = new StoredForm(slot, column.name(), stored.encryptor(), purpose);
    if (isKept) {
      return text(StoredForm.literal(form.of(task.written().value(slot))));
    }
    forms.add(form);
    return new Piece.Slot(slotCount + forms.size() - 1);
  }

  /** Puts pieces in the place of the tokens {@code [first, behind)}, which are understood then. */
  public void replace(int first, int behind, List<Piece> pieces) {
    edits.replace(edits.start(first), edits.end(behind - 1), pieces);
    understand(first, behind);
    changed = true;
  }

  public void replace(int first, int behind, String text) {
    replace(first, behind, List.of(text(text)));
  }

  /** Puts text behind a token. */
  public void append(int token, String text) {
    int end = edits.end(token);
    edits.replace(end, end, List.of(text(text)));
    changed = true;
  }

  public boolean isChanged() {
    return changed;
  }

  /**
   * @param scan of the new text
   * @param slots the client's slot of each of the text's, or a form's number behind them; {@link
   *     #OWN}
   * @param own values of the text as it is written
   * @param pieces of the new text, by its own slots
   * @param guards slots of the client whose literals are in names
   */
  @SuppressWarnings("ArrayRecordComponent")
  public record Written(
      Scan scan,
      int[] slots,
      List<StoredForm> forms,
      int count,
      List<Piece> pieces,
      int[] guards,
      SlotValues own) {}

  public Written written() {
    int[] guards = ItemNames.keep(edits);
    var sql = new SqlBuffer(source.bytes().length + 256);
    // where the client's slots and the forms begin in the new text
    var places = new TreeMap<Integer, Integer>();
    List<Piece> edited = edits.copy(0, source.bytes().length);
    for (Piece piece : edited) {
      switch (piece) {
        case Piece.Text text -> sql.append(text.bytes());
        case Piece.Slot(int slot) -> {
          places.put(sql.length(), slot);
          place(slot, sql);
        }
        case Piece.Table _, Piece.Keys _ ->
            throw new IllegalStateException("no table is edited: " + piece);
      }
    }
    byte[] bytes = sql.toByteArray();
    LexerMode mode = task.scope().lexerMode();
    // the whole: of a part of it the scanner cannot say what is a value
    Scan scan = new SqlScanner().scan(bytes, 0, bytes.length, mode, new Scan());
    int[] slots = new int[scan.slotCount()];
    var numbers = new ArrayList<Integer>();
    for (int own = 0; own < slots.length; own++) {
      Integer place = places.get(scan.slotStart(own));
      slots[own] = place == null ? OWN : place;
      if (place != null) {
        numbers.add(own);
      }
    }
    if (numbers.size() != places.size()) {
      throw new IllegalStateException("values are not read as they are written");
    }
    Iterator<Integer> next = numbers.iterator();
    List<Piece> pieces =
        edited.stream()
            .map(piece -> piece instanceof Piece.Slot ? new Piece.Slot(next.next()) : piece)
            .toList();
    return new Written(
        scan,
        slots,
        List.copyOf(forms),
        slotCount,
        pieces,
        guards,
        new TextSlotValues().over(scan, source.charset(), mode));
  }

  private void place(int slot, SqlBuffer sql) {
    if (slot < slotCount) {
      int start = task.scan().slotStart(slot);
      sql.append(task.scan().sql(), start, task.scan().slotEnd(slot) - start);
      return;
    }
    int client = forms.get(slot - slotCount).slot();
    sql.append(task.scan().slotKind(client) == SlotKind.PARAMETER ? MARKER : PLACE);
  }
}
