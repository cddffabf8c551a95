package io.anabranch.rules.algorithm.mask;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.anabranch.rules.algorithm.InvalidPropertiesException;
import io.anabranch.rules.error.RefusedException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** As ShardingSphere's algorithms of the same names mask. */
class MaskerCatalogueTest {

  private static Masker masker(String type, String properties) {
    var map = new TreeMap<String, String>();
    for (String property : properties.split(";", -1)) {
      int sign = property.indexOf('=');
      if (sign > 0) {
        map.put(property.substring(0, sign), property.substring(sign + 1));
      }
    }
    return new MaskerCatalogue(List.of()).masker(type, map);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          MD5 | - | abc123456 | 0659c7992e268962384eb17fafe88364
          MD5 | salt=202cb962ac5907 | abc123456 | 02d44390e9354b72dd2aa78d55016f7f
          KEEP_FIRST_N_LAST_M | first-n=3;last-m=4;replace-char=* | 13812345678 | 138****5678
          KEEP_FIRST_N_LAST_M | first-n=3;last-m=5;replace-char=* | abc1234 | abc1234
          KEEP_FIRST_N_LAST_M | first-n=2;last-m=5;replace-char=* | abc123456 | ab**23456
          KEEP_FROM_X_TO_Y    | from-x=2;to-y=5;replace-char=*    | abc123456 | **c123***
          KEEP_FROM_X_TO_Y    | from-x=2;to-y=5;replace-char=*    | a         | *
          KEEP_FROM_X_TO_Y    | from-x=2;to-y=5;replace-char=*    | abc       | **c
          MASK_FIRST_N_LAST_M | first-n=3;last-m=5;replace-char=* | abc123456 | ***1*****
          MASK_FIRST_N_LAST_M | first-n=3;last-m=5;replace-char=* | abcd      | ****
          MASK_FIRST_N_LAST_M | first-n=3;last-m=5;replace-char=* | a         | *
          MASK_FROM_X_TO_Y    | from-x=2;to-y=5;replace-char=*    | abc123456 | ab****456
          MASK_FROM_X_TO_Y    | from-x=5;to-y=5;replace-char=*    | abc12     | abc12
          MASK_BEFORE_SPECIAL_CHARS | special-chars=d1;replace-char=* | abcd134 | ***d134
          MASK_BEFORE_SPECIAL_CHARS | special-chars=!!;replace-char=* | abcd134 | abcd134
          MASK_AFTER_SPECIAL_CHARS  | special-chars=d1;replace-char=* | abcd134 | abcd1**
          MASK_AFTER_SPECIAL_CHARS  | special-chars=@;replace-char=*  | abcd134 | abcd134
          """)
  void covers(String type, String properties, String value, String masked) {
    assertThat(masker(type, properties).mask(value)).isEqualTo(masked);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          PERSONAL_IDENTITY_NUMBER_RANDOM_REPLACE | area=CN | 372928198312103215 | 372928\\d{8}3215
          PERSONAL_IDENTITY_NUMBER_RANDOM_REPLACE | area=CN | 372928831210321    | 372928\\d{6}321
          PERSONAL_IDENTITY_NUMBER_RANDOM_REPLACE | -       | 1234               | 1234
          MILITARY_IDENTITY_NUMBER_RANDOM_REPLACE | type-codes=P,O | 军字第1234567号 | [PO]字第\\d{7}号
          LANDLINE_NUMBER_RANDOM_REPLACE | landline-numbers=0251,0252 | 025123456 | 025[12]\\d{5}
          LANDLINE_NUMBER_RANDOM_REPLACE | landline-numbers=0251      | 03112345  | 03112345
          TELEPHONE_RANDOM_REPLACE | network-numbers=130,1306 | 13012345678 | 130\\d{8}
          TELEPHONE_RANDOM_REPLACE | network-numbers=130,1306 | 13062345678 | 1306\\d{7}
          TELEPHONE_RANDOM_REPLACE | network-numbers=130,1306 | 1            | 1
          UNIFIED_CREDIT_CODE_RANDOM_REPLACE | registration-department-codes=1,9;category-codes=1,2;administrative-division-codes=100000,110000 | 91110000MA00 | [19][12]1[01]0000\\d{10}
          GENERIC_TABLE_RANDOM_REPLACE | - | Ab1中 | [A-Z][a-z][0-9][^A-Za-z0-9中]
          GENERIC_TABLE_RANDOM_REPLACE | uppercase-letter-codes=X;digital-codes=7 | AB12 | XX77
          """)
  void replaces(String type, String properties, String value, String pattern) {
    assertThat(masker(type, properties).mask(value)).matches(pattern);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          KEEP_FIRST_N_LAST_M | first-n=3;replace-char=** | last-m is required
          KEEP_FIRST_N_LAST_M | first-n=3;last-m=1;replace-char=** | replace-char must be one character
          MASK_FROM_X_TO_Y | from-x=3;to-y=1;replace-char=* | to-y must not be less than from-x
          TELEPHONE_RANDOM_REPLACE | - | network-numbers is required
          TELEPHONE_RANDOM_REPLACE | network-numbers=1x | `1x` is no number
          MD5 | pepper=1 | pepper unknown property
          """)
  void tellsWhatIsWrong(String type, String properties, String message) {
    assertThatThrownBy(() -> masker(type, properties))
        .isInstanceOf(InvalidPropertiesException.class)
        .hasMessageContaining(message);
  }

  /** A plug-in that shows the length, and fails for some values. */
  private static final class Lengths implements MaskerProvider {

    @Override
    public String type() {
      return "show_length";
    }

    @Override
    public Masker create(Map<String, String> properties) {
      if (!properties.containsKey("unit")) {
        throw new IllegalArgumentException("props: unit is missing");
      }
      return Lengths::mask;
    }

    @SuppressWarnings("NullAway")
    private static String mask(String value) {
      return switch (value) {
        case "none" -> null;
        case "secret" -> throw new IllegalStateException("cannot mask " + value);
        case "missing" -> throw new NoClassDefFoundError("org/example/Secret");
        default -> value.length() + " characters";
      };
    }
  }

  @Test
  void plugInsMask() {
    var catalogue = new MaskerCatalogue(List.of(new Lengths()));
    assertThat(catalogue.types()).contains("SHOW_LENGTH", "MD5");
    assertThat(catalogue.masker("Show_Length", Map.of("unit", "c")).mask("abc"))
        .isEqualTo("3 characters");
    assertThatThrownBy(() -> catalogue.masker("SHOW_LENGTH", Map.of()))
        .hasMessageContaining("unit is missing");
    assertThatThrownBy(() -> new MaskerCatalogue(List.of(new Lengths(), new Lengths())))
        .hasMessageContaining("SHOW_LENGTH");
  }

  @ParameterizedTest
  @ValueSource(strings = {"none", "secret", "missing"})
  void whatAPlugInCannotMaskIsRefusedAndNotTold(String value) {
    Masker masker =
        new MaskerCatalogue(List.of(new Lengths())).masker("SHOW_LENGTH", Map.of("unit", "c"));
    assertThatThrownBy(() -> masker.mask(value))
        .isInstanceOf(RefusedException.class)
        .hasMessageContaining("SHOW_LENGTH")
        .hasMessageNotContaining("cannot mask")
        .hasMessageNotContaining("org/example");
  }
}
