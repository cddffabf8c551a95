package io.anabranch.backend.row;

import static org.assertj.core.api.Assertions.assertThat;

import io.anabranch.rules.plan.ResultColumn;
import io.anabranch.rules.value.SqlValue;
import io.anabranch.rules.value.StoredIn;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What places a row is what its column will hold. */
class RowLiteralsTest {

  private static final int DATETIME = 12;
  private static final int BINARY = 63;

  @Test
  void textsKeepAllDigitsOfAMoment() {
    var column = new ResultColumn("s", "t", "t", "ts", "ts", BINARY, 23, DATETIME, 0, 3);
    var row = new RowLiterals(List.of(column), RowFormat.TEXT);
    String moment = "2024-01-01 10:00:00.000";
    row.read(((char) moment.length() + moment).getBytes(StandardCharsets.ISO_8859_1));
    assertThat(row.value(0, StoredIn.of("varchar(40)", true))).isEqualTo(new SqlValue.Text(moment));
    assertThat(row.value(0, StoredIn.of("datetime(3)", true)))
        .isEqualTo(new SqlValue.Text("2024-01-01 10:00:00"));
    assertThat(row.value(0)).isEqualTo(new SqlValue.Text("2024-01-01 10:00:00"));
  }
}
