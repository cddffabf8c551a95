package io.anabranch.rules.config.global;

import io.anabranch.rules.config.yaml.Section;
import io.anabranch.rules.config.yaml.Value;
import io.anabranch.rules.model.ProxyProperties.Audited;
import io.anabranch.rules.model.ProxyProperties.LogForm;
import io.anabranch.rules.model.ProxyProperties.Statistics;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** What {@code props} say of statistics, slow log and audit log. */
final class StatisticsPropsReader {

  private static final int MOST_DIGESTS = 1_000_000;
  private static final int MOST_FILES = 1000;
  private static final int MOST_PLANS = 600;
  private static final long LEAST_BYTES = 1024;
  private static final String ALL = "ALL";

  private StatisticsPropsReader() {}

  static Statistics read(Section props) {
    Statistics defaults = Statistics.DEFAULTS;
    return new Statistics(
        props.integer("proxy-statistics-digests", defaults.digests(), 0, MOST_DIGESTS),
        props.number(
            "proxy-slow-log-threshold-milliseconds",
            defaults.slowMilliseconds(),
            -1,
            Integer.MAX_VALUE),
        thresholds(props, "proxy-slow-log-user-thresholds"),
        thresholds(props, "proxy-slow-log-database-thresholds"),
        props.text("proxy-slow-log-file", defaults.slowFile()),
        form(props, defaults.slowForm()),
        props.integer("proxy-slow-log-explain-per-minute", defaults.slowPlans(), 0, MOST_PLANS),
        props.text("proxy-audit-log-file", defaults.auditFile()),
        audited(props),
        props.flag("proxy-statement-log-literals", defaults.showsLiterals()),
        props.number(
            "proxy-statement-log-max-bytes", defaults.logBytes(), LEAST_BYTES, Long.MAX_VALUE),
        props.integer("proxy-statement-log-files", defaults.logFiles(), 1, MOST_FILES),
        props.flag("proxy-origin-comment", defaults.tellsOrigin()));
  }

  private static LogForm form(Section props, LogForm otherwise) {
    props.assume("proxy-slow-log-format", otherwise.name().toLowerCase(Locale.ROOT));
    Value value = props.value("proxy-slow-log-format");
    String word = value == null ? null : value.text();
    if (value == null || word == null) {
      return otherwise;
    }
    for (LogForm each : LogForm.values()) {
      if (each.name().equalsIgnoreCase(word)) {
        return each;
      }
    }
    value.error("there is no format '" + word + "'", "use json or text");
    return otherwise;
  }

  /** {@code reporting=5000, batch=-1}. */
  private static Map<String, Long> thresholds(Section props, String key) {
    var thresholds = new LinkedHashMap<String, Long>();
    for (String each : list(props, key, "")) {
      int equals = each.lastIndexOf('=');
      String number = each.substring(equals + 1).strip();
      Value value = props.value(key);
      if (equals > 0 && number.matches("-1|\\d{1,9}")) {
        thresholds.put(each.substring(0, equals).strip(), Long.parseLong(number));
      } else if (value != null) {
        value.error("'" + each + "' is no name with milliseconds", "write name=5000, other=-1");
      }
    }
    return thresholds;
  }

  private static Set<Audited> audited(Section props) {
    String key = "proxy-audit-log-statements";
    String otherwise =
        Statistics.DEFAULTS.audited().stream()
            .sorted()
            .map(StatisticsPropsReader::word)
            .collect(Collectors.joining(","));
    var groups = EnumSet.noneOf(Audited.class);
    for (String each : list(props, key, otherwise)) {
      String word = each.toUpperCase(Locale.ROOT);
      Value value = props.value(key);
      if (word.equals(ALL)) {
        groups.addAll(EnumSet.allOf(Audited.class));
      } else if (Arrays.stream(Audited.values()).anyMatch(group -> group.name().equals(word))) {
        groups.add(Audited.valueOf(word));
      } else if (value != null) {
        value.error(
            "there is no group of statements '" + each + "'",
            "use "
                + Arrays.stream(Audited.values())
                    .map(StatisticsPropsReader::word)
                    .collect(Collectors.joining(", "))
                + ", all");
      }
    }
    return groups;
  }

  private static String word(Audited group) {
    return group.name().toLowerCase(Locale.ROOT);
  }

  private static List<String> list(Section props, String key, String otherwise) {
    return Arrays.stream(props.text(key, otherwise).split(","))
        .map(String::strip)
        .filter(each -> !each.isEmpty())
        .toList();
  }
}
