package io.anabranch.app.live;

import io.anabranch.rules.model.Authority.User;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Says in time which users' passwords are to be changed. Thread-safe. */
public final class PasswordExpiry {

  private static final Logger log = LoggerFactory.getLogger(PasswordExpiry.class);
  private static final Duration WARNING = Duration.ofDays(30);

  private final Supplier<List<User>> users;
  private final Supplier<Instant> now;

  /**
   * @param users of the configuration in force
   */
  public PasswordExpiry(Supplier<List<User>> users, Supplier<Instant> now) {
    this.users = users;
    this.now = now;
  }

  /** A user whose password is to be changed by a day, which begins at {@code expiry}. */
  public record Dated(User user, Instant expiry) {}

  /** Those for whom a day is set. */
  public List<Dated> dated() {
    return users.get().stream()
        .flatMap(
            user -> {
              LocalDate day = user.passwordExpires();
              return day == null
                  ? Stream.empty()
                  : Stream.of(new Dated(user, day.atStartOfDay(ZoneOffset.UTC).toInstant()));
            })
        .toList();
  }

  /** Until a password is to be changed; negative when that day has begun. */
  public double seconds(Dated dated) {
    return left(dated).toSeconds();
  }

  /** Warns of whom it is time to; once a day is often enough. */
  public void look() {
    warnings().forEach(log::warn);
  }

  /** What is to be said today. */
  List<String> warnings() {
    var lines = new ArrayList<String>();
    for (Dated dated : dated()) {
      Duration left = left(dated);
      String password = "the password of " + dated.user();
      LocalDate day = dated.user().passwordExpires();
      if (left.isNegative()) {
        lines.add(password + " was to be changed by " + day + "; it is still good");
      } else if (left.compareTo(WARNING) < 0) {
        lines.add(password + " is to be changed in " + left.toDays() + " day(s), by " + day);
      }
    }
    return lines;
  }

  private Duration left(Dated dated) {
    return Duration.between(now.get(), dated.expiry());
  }
}
