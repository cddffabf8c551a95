package io.anabranch.rules.algorithm.standard;

import io.anabranch.rules.algorithm.key.Radix62;
import io.anabranch.rules.algorithm.key.SnowflakeId;
import io.anabranch.rules.value.SqlValue;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/** The moments that values of a sharding column stand for. */
sealed interface CosidTimes {

  /** Null: it stands for none. */
  @Nullable LocalDateTime of(SqlValue value);

  /** The same for a bound of a range; null also where the order of values is not that of time. */
  @Nullable LocalDateTime bound(@Nullable SqlValue value);

  /**
   * Moments as they are, texts in a pattern, numbers of seconds or milliseconds since 1970.
   *
   * @param zone of the moments that numbers are
   */
  record Written(TimePattern pattern, boolean isSeconds, ZoneId zone) implements CosidTimes {

    @Override
    public @Nullable LocalDateTime of(SqlValue value) {
      return value instanceof SqlValue.Int(long number)
          ? moment(number, isSeconds ? ChronoUnit.SECONDS : ChronoUnit.MILLIS, zone)
          : pattern.time(value);
    }

    @Override
    public @Nullable LocalDateTime bound(@Nullable SqlValue value) {
      return value instanceof SqlValue.Int number ? of(number) : pattern.bound(value);
    }
  }

  /**
   * When a key of {@code COSID_SNOWFLAKE} was made.
   *
   * @param epoch in milliseconds since 1970
   */
  record Snowflakes(long epoch, ZoneId zone) implements CosidTimes {

    @Override
    public @Nullable LocalDateTime of(SqlValue value) {
      long id =
          switch (value) {
            case SqlValue.Int(long number) -> number;
            case SqlValue.Text(String text) -> Radix62.number(text.stripTrailing());
            default -> -1;
          };
      return id < 0 ? null : moment(SnowflakeId.milliseconds(id) + epoch, ChronoUnit.MILLIS, zone);
    }

    /** Collations order texts in their own ways. */
    @Override
    public @Nullable LocalDateTime bound(@Nullable SqlValue value) {
      return value instanceof SqlValue.Int number ? of(number) : null;
    }
  }

  private static @Nullable LocalDateTime moment(long since1970, ChronoUnit unit, ZoneId zone) {
    try {
      return LocalDateTime.ofInstant(Instant.EPOCH.plus(since1970, unit), zone);
    } catch (DateTimeException | ArithmeticException beyond) {
      return null;
    }
  }
}
