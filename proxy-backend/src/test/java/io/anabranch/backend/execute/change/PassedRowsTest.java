package io.anabranch.backend.execute.change;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.anabranch.backend.execute.rows.RowSpool;
import io.anabranch.backend.memory.StatementMemory;
import io.anabranch.rules.error.RefusedException;
import io.anabranch.rules.plan.Passing;
import io.anabranch.rules.value.SqlValue;
import java.util.List;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Rows of one column and what it gets; texts with a question mark are not told. */
class PassedRowsTest {

  private static Passing passing(boolean ordered) {
    return new Passing(
        List.of(new Passing.Key(values -> value(values, 0), values -> value(values, 1), "PRIMARY")),
        ordered);
  }

  private static Passing.@Nullable Value value(IntFunction<SqlValue> values, int position) {
    if (!(values.apply(position) instanceof SqlValue.Text(String text))) {
      return null;
    }
    return text.equals("?")
        ? new Passing.Value("", "", "", false)
        : new Passing.Value(text, "", PassedRowsTest.folded(text), true);
  }

  private static String folded(String text) {
    return text.toLowerCase(java.util.Locale.ROOT);
  }

  private static void change(boolean ordered, @Nullable String... pairs) {
    try (var spool = new RowSpool(StatementMemory.UNLIMITED)) {
      var rows = new PassedRows(passing(ordered), spool);
      for (int i = 0; i < pairs.length; i += 2) {
        int first = i;
        rows.add(
            position -> {
              String text = pairs[first + position];
              return text == null ? SqlValue.Null.NULL : new SqlValue.Text(text);
            });
      }
      rows.check();
    }
  }

  @Test
  void takesNoKeyOfARowWhoseTurnIsYetToCome() {
    assertThatThrownBy(() -> change(true, "1", "2", "2", "3"))
        .isInstanceOf(RefusedException.class)
        .hasMessageContaining("Duplicate entry '2' for key 'PRIMARY'");
  }

  @Test
  void takesTheKeyOfARowThatIsGone() {
    assertThatCode(() -> change(true, "2", "3", "1", "2")).doesNotThrowAnyException();
  }

  @Test
  void takesNoKeyThatARowHasGot() {
    assertThatThrownBy(() -> change(true, "1", "9", "2", "9"))
        .hasMessageContaining("Duplicate entry '9'");
  }

  @Test
  void takesNoKeyThatARowKeeps() {
    assertThatThrownBy(() -> change(true, "1", "2", "2", "2"))
        .hasMessageContaining("Duplicate entry '2'");
  }

  @Test
  void knowsNothingWithoutAnOrderWhereRowsMeet() {
    assertThatThrownBy(() -> change(false, "2", "3", "1", "2")).hasMessageContaining("ORDER BY");
    assertThatCode(() -> change(false, "1", "9", "2", "8")).doesNotThrowAnyException();
  }

  @Test
  void knowsNothingOfKeysThatMayBeEqual() {
    assertThatThrownBy(() -> change(true, "a", "B", "b", "c")).hasMessageContaining("AB2001");
    assertThatThrownBy(() -> change(true, "a", "?", "b", "c")).hasMessageContaining("AB2001");
    assertThatCode(() -> change(true, "a", "A", "b", "B")).doesNotThrowAnyException();
  }

  @Test
  void tellsNullFromNull() {
    assertThatCode(() -> change(true, null, null, "1", null, null, "2")).doesNotThrowAnyException();
  }

  @Test
  void lacksNothingWithOneRow() {
    assertThatCode(() -> change(false, "1", "?")).doesNotThrowAnyException();
  }
}
