package io.anabranch.app.live;

import static org.assertj.core.api.Assertions.assertThat;

import io.anabranch.rules.model.Authority.AuthenticationMethod;
import io.anabranch.rules.model.Authority.Requirement;
import io.anabranch.rules.model.Authority.User;
import io.anabranch.rules.model.Password;
import io.anabranch.rules.right.Grants;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class PasswordExpiryTest {

  private static User user(String name, @Nullable String day) {
    return new User(
        name,
        "%",
        new Password.Plain("hidden"),
        false,
        AuthenticationMethod.MYSQL_NATIVE_PASSWORD,
        Requirement.NONE,
        0,
        Grants.UNLIMITED,
        Set.of(),
        null,
        day == null ? null : LocalDate.parse(day));
  }

  @Test
  void whoseDayComesNearIsTold() {
    var expiry =
        new PasswordExpiry(
            () ->
                List.of(
                    user("never", null),
                    user("later", "2027-03-01"),
                    user("soon", "2027-01-11"),
                    user("over", "2027-01-01")),
            () -> Instant.parse("2027-01-01T12:00:00Z"));
    assertThat(expiry.dated().stream().map(each -> each.user().name()))
        .containsExactly("later", "soon", "over");
    assertThat(expiry.dated().stream().map(expiry::seconds))
        .containsExactly(
            (double) Duration.ofHours(58 * 24 + 12).toSeconds(),
            (double) Duration.ofHours(9 * 24 + 12).toSeconds(),
            (double) -Duration.ofHours(12).toSeconds());

    assertThat(expiry.warnings())
        .containsExactly(
            "the password of soon@% is to be changed in 9 day(s), by 2027-01-11",
            "the password of over@% was to be changed by 2027-01-01; it is still good");
  }
}
