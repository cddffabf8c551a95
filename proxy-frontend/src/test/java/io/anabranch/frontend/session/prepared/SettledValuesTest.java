package io.anabranch.frontend.session.prepared;

import static org.assertj.core.api.Assertions.assertThat;

import io.anabranch.protocol.parameter.ParameterKind;
import io.anabranch.rules.routing.key.KeyMatch;
import io.anabranch.rules.routing.key.KeyType;
import io.anabranch.rules.value.SqlValue;
import java.time.LocalDateTime;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class SettledValuesTest {

  private static final SqlValue UNKNOWN = SqlValue.Unknown.UNKNOWN;

  private static @Nullable SqlValue key(KeyType type, byte settled, SqlValue sent) {
    return KeyMatch.equal(type, SettledValues.compared(settled, sent));
  }

  @Test
  void whatNobodyHasSettledIsComparedAsItCame() {
    SqlValue text = new SqlValue.Text("abc");
    assertThat(SettledValues.compared(ParameterKind.NULL, text)).isSameAs(text);
    assertThat(SettledValues.compared(ParameterKind.TEXT, text)).isSameAs(text);
  }

  @Test
  void noTextLeadsToANodeWhereNumbersOrTimesAreCompared() {
    for (byte kind : kinds()) {
      for (String text : List.of("abc", "7", "07", "2024-02-01", "")) {
        assertThat(key(KeyType.TEXT, kind, new SqlValue.Text(text)))
            .as("%d %s", kind, text)
            .isNull();
      }
    }
  }

  /** All but the kind of texts. */
  private static byte[] kinds() {
    return new byte[] {
      ParameterKind.SIGNED,
      ParameterKind.UNSIGNED,
      ParameterKind.YEAR,
      ParameterKind.DECIMAL,
      ParameterKind.DOUBLE,
      ParameterKind.DATE,
      ParameterKind.TIME,
      ParameterKind.DATETIME,
      ParameterKind.BYTES,
      ParameterKind.OTHER,
      ParameterKind.BIT
    };
  }

  @Test
  void textsThatAreNumbersLeadToNodesOfIntegers() {
    SqlValue seven = new SqlValue.Text(" 7");
    for (byte kind :
        new byte[] {
          ParameterKind.SIGNED, ParameterKind.UNSIGNED, ParameterKind.DECIMAL, ParameterKind.DOUBLE
        }) {
      assertThat(key(KeyType.INTEGER, kind, seven)).isEqualTo(new SqlValue.Int(7));
      assertThat(SettledValues.compared(kind, new SqlValue.Text("7abc"))).isEqualTo(UNKNOWN);
    }
    assertThat(key(KeyType.INTEGER, ParameterKind.DATETIME, seven)).isNull();
    assertThat(key(KeyType.INTEGER, ParameterKind.TIME, new SqlValue.Int(7))).isNull();
  }

  @Test
  void doublesTellNoLargeIntegersApart() {
    SqlValue large = new SqlValue.Int((1L << 53) + 1);
    assertThat(key(KeyType.INTEGER, ParameterKind.SIGNED, large)).isEqualTo(large);
    assertThat(key(KeyType.INTEGER, ParameterKind.DOUBLE, large)).isNull();
  }

  @Test
  void textsLeadToNodesOfMomentsWhereThoseAreCompared() {
    SqlValue text = new SqlValue.Text("2024-02-01 10:00:00");
    SqlValue moment = new SqlValue.DateTime(LocalDateTime.of(2024, 2, 1, 10, 0));
    assertThat(key(KeyType.DATETIME, ParameterKind.DATETIME, text)).isEqualTo(moment);
    assertThat(key(KeyType.DATETIME, ParameterKind.SIGNED, text)).isNull();
    assertThat(key(KeyType.DATETIME, ParameterKind.TIME, moment)).isNull();
    assertThat(key(KeyType.DATETIME, ParameterKind.DATETIME, new SqlValue.Int(20240201))).isNull();
  }
}
