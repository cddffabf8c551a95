package io.anabranch.rules.planner.encrypt.stored;

import io.anabranch.rules.plan.slot.SentValue;
import io.anabranch.rules.plan.slot.SlotValues;
import io.anabranch.rules.plan.slot.SqlBuffer;
import io.anabranch.rules.value.SqlValue;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The client's values as the rewritten text has them: those of encrypted columns encrypted. What a
 * client wrote for such a column is never written as it is: while it is not known, there is a
 * marker in its place.
 */
final class StoredValues implements SlotValues {

  private final SlotValues client;
  private final StoredText.Written text;
  private final int[] slots;
  private final boolean isBound;

  /** How many parameters stand in front of each slot. */
  private final int[] indexes;

  /** As SQL, once they are asked for. */
  private final @Nullable String[] literals;

  /**
   * @param isBound false: parameters have no values yet
   */
  StoredValues(SlotValues client, StoredText.Written text, boolean isBound) {
    this.client = client;
    this.text = text;
    this.slots = text.slots();
    this.isBound = isBound;
    this.literals = new String[slots.length];
    this.indexes = new int[slots.length];
    int parameters = 0;
    for (int slot = 0; slot < slots.length; slot++) {
      indexes[slot] = parameters;
      parameters += isParameter(slot) ? 1 : 0;
    }
  }

  private boolean isOwn(int slot) {
    return slots[slot] == StoredText.OWN;
  }

  private @Nullable StoredForm form(int slot) {
    int number = slots[slot] - text.count();
    return number < 0 ? null : text.forms().get(number);
  }

  private int slot(int slot) {
    StoredForm form = form(slot);
    return form == null ? slots[slot] : form.slot();
  }

  @Override
  public int count() {
    return slots.length;
  }

  @Override
  public boolean isBound() {
    return isBound;
  }

  @Override
  public boolean isParameter(int slot) {
    return !isOwn(slot) && client.isParameter(slot(slot));
  }

  /** By the markers of the rewritten text: one of the client's may have become several. */
  @Override
  public int parameterIndex(int slot) {
    return indexes[slot];
  }

  /** What is sent for the markers of the rewritten text. */
  List<SentValue> sent() {
    var sent = new ArrayList<SentValue>();
    for (int slot = 0; slot < slots.length; slot++) {
      if (isParameter(slot)) {
        StoredForm form = form(slot);
        int parameter = client.parameterIndex(slot(slot));
        sent.add(
            form == null
                ? new SentValue(parameter, false, null)
                : new SentValue(parameter, true, form.of(client.value(form.slot()))));
      }
    }
    return sent;
  }

  @Override
  public SqlValue value(int slot) {
    StoredForm form = form(slot);
    if (form == null) {
      return isOwn(slot) ? text.own().value(slot) : client.value(slots[slot]);
    }
    SqlValue given = client.value(form.slot());
    if (given instanceof SqlValue.Unknown) {
      return given;
    }
    String stored = form.of(given);
    return stored == null ? SqlValue.Null.NULL : new SqlValue.Text(stored);
  }

  @Override
  public SqlValue compared(int slot) {
    boolean isClients = form(slot) == null && !isOwn(slot);
    return isClients ? client.compared(slots[slot]) : value(slot);
  }

  private String literal(int slot, StoredForm form) {
    String known = literals[slot];
    if (known == null) {
      boolean isMarker =
          client.isParameter(form.slot())
              || (!isBound && client.value(form.slot()) instanceof SqlValue.Unknown);
      known = isMarker ? "?" : StoredForm.literal(form.of(client.value(form.slot())));
      literals[slot] = known;
    }
    return known;
  }

  @Override
  public int length(int slot) {
    StoredForm form = form(slot);
    if (isOwn(slot)) {
      return text.own().length(slot);
    }
    return form == null ? client.length(slots[slot]) : literal(slot, form).length();
  }

  @Override
  public void made(int bytes) {
    client.made(bytes);
  }

  @Override
  public void appendTo(int slot, SqlBuffer out) {
    StoredForm form = form(slot);
    if (isOwn(slot)) {
      text.own().appendTo(slot, out);
    } else if (form == null) {
      client.appendTo(slots[slot], out);
    } else {
      out.append(literal(slot, form).getBytes(StandardCharsets.US_ASCII));
    }
  }
}
