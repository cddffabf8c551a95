package io.anabranch.rules.config.global;

import io.anabranch.rules.algorithm.NearestName;
import io.anabranch.rules.config.yaml.Section;
import io.anabranch.rules.config.yaml.Value;
import io.anabranch.rules.model.LogicalDatabase;
import io.anabranch.rules.model.TransactionSettings;
import io.anabranch.rules.model.TransactionSettings.Xa;
import io.anabranch.rules.model.TransactionType;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The key {@code transaction} of the global file. */
final class TransactionReader {

  private static final long LONGEST = 86_400_000;
  private static final long LONGEST_RETENTION = 30 * LONGEST;

  private final @Nullable Section section;
  private @Nullable Value logDataSource;

  TransactionReader(@Nullable Section section) {
    this.section = section;
  }

  /** What ShardingSphere takes here, and the proxy itself. */
  private static final List<String> PROVIDERS =
      List.of("Anabranch", "Atomikos", "Narayana", "Bitronix", "Seata");

  TransactionSettings read() {
    TransactionSettings defaults = TransactionSettings.DEFAULTS;
    if (section == null) {
      return defaults;
    }
    TransactionType type = type(section);
    readProvider(section);
    Section props = section.section("props");
    section.close();
    if (props == null) {
      return new TransactionSettings(
          type, defaults.xa(), defaults.idleLimit(), defaults.longLimit());
    }
    logDataSource = props.value("log-data-source");
    Xa xa = defaults.xa();
    var settings =
        new TransactionSettings(
            type,
            new Xa(
                name(props, "cluster", xa.cluster()),
                name(props, "node", xa.node()),
                props.text("log-data-source", xa.logDataSource()),
                time(props, "recovery-interval-milliseconds", xa.recoveryInterval(), 100),
                time(props, "node-timeout-milliseconds", xa.nodeTimeout(), 1000),
                time(props, "answer-timeout-milliseconds", xa.answerTimeout(), 100),
                time(props, "log-timeout-milliseconds", xa.logTimeout(), 100),
                props.number(
                    "decision-retention-milliseconds",
                    xa.decisionRetention(),
                    0,
                    LONGEST_RETENTION)),
            time(props, "idle-limit-milliseconds", defaults.idleLimit(), 0),
            time(props, "duration-limit-milliseconds", defaults.longLimit(), 0));
    props.close();
    return settings;
  }

  private static TransactionType type(Section section) {
    Value value = section.value("defaultType");
    String name = value == null ? null : value.text();
    if (value == null || name == null) {
      return TransactionType.LOCAL;
    }
    switch (name.toUpperCase(Locale.ROOT)) {
      case "LOCAL" -> {
        return TransactionType.LOCAL;
      }
      case "XA" -> {
        return TransactionType.XA;
      }
      case "BASE" ->
          value.error("transactions of the type BASE are not supported yet", "use LOCAL or XA");
      default -> value.error("unknown transaction type " + name, "use LOCAL or XA");
    }
    return TransactionType.LOCAL;
  }

  /** Atomikos and Narayana are libraries for what the proxy does itself. */
  private static void readProvider(Section section) {
    Value provider = section.value("providerType");
    String name = provider == null ? null : provider.text();
    if (provider == null || name == null || name.equalsIgnoreCase("Anabranch")) {
      return;
    }
    if (PROVIDERS.stream().noneMatch(name::equalsIgnoreCase)) {
      provider.error("unknown provider " + name, NearestName.suggestion(name, PROVIDERS));
    } else {
      provider.notice("has no effect: the proxy commits XA transactions itself", null);
    }
  }

  private static long time(Section props, String key, long otherwise, long min) {
    return props.number(key, otherwise, min, LONGEST);
  }

  private static String name(Section props, String key, String otherwise) {
    Value value = props.value(key);
    String text = value == null ? null : value.text();
    if (value == null || text == null) {
      return otherwise;
    }
    if (!text.matches("[A-Za-z0-9_-]{1," + Xa.MAX_NAME + "}")) {
      value.error(
          "must be 1 to " + Xa.MAX_NAME + " letters, digits, '_' or '-'", "shorten the name");
      return otherwise;
    }
    return text;
  }

  /** To be called once all databases are known. */
  void checkLog(Map<String, LogicalDatabase> databases) {
    Value value = logDataSource;
    String name = value == null ? null : value.text();
    if (value == null || name == null) {
      return;
    }
    int dot = name.indexOf('.');
    LogicalDatabase database =
        dot < 0 ? null : databases.get(name.substring(0, dot).toLowerCase(Locale.ROOT));
    if (database == null || !database.endpoints().contains(name.substring(dot + 1))) {
      value.error(
          "there is no data source " + name,
          "write database.dataSource, or database.group where it is in a read/write group");
    }
  }
}
