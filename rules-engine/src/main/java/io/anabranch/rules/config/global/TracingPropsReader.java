package io.anabranch.rules.config.global;

import io.anabranch.rules.config.yaml.Section;
import io.anabranch.rules.config.yaml.Value;
import io.anabranch.rules.model.ProxyProperties.Tracing;
import io.anabranch.rules.secret.Secrets;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.regex.Pattern;

/** What {@code props} say of tracing. */
final class TracingPropsReader {

  private static final String ENDPOINT = "proxy-tracing-endpoint";
  private static final String AUTHORIZATION = "proxy-tracing-authorization";
  private static final String PERCENT = "proxy-tracing-sample-percent";

  /** At most 100, in millionths. */
  private static final Pattern SHARE = Pattern.compile("100(\\.0{1,4})?|\\d{1,2}(\\.\\d{1,4})?");

  /** What an HTTP header can carry. */
  private static final Pattern HEADER = Pattern.compile("[\\x20-\\x7e]+");

  private TracingPropsReader() {}

  static Tracing read(Section props, Secrets secrets) {
    Tracing defaults = Tracing.DEFAULTS;
    return new Tracing(
        endpoint(props),
        authorization(props, secrets),
        props.text("proxy-tracing-service-name", defaults.serviceName()),
        percent(props));
  }

  private static String endpoint(Section props) {
    String text = props.text(ENDPOINT, Tracing.DEFAULTS.endpoint());
    Value value = props.value(ENDPOINT);
    if (value != null && !text.isEmpty() && !isHttp(text)) {
      value.error(
          "'" + text + "' is no URL of a collector",
          "write http://HOST:4318/v1/traces, or https://…: OTLP over HTTP");
    }
    return text;
  }

  private static boolean isHttp(String text) {
    try {
      var url = new URI(text);
      boolean isWeb = "http".equals(url.getScheme()) || "https".equals(url.getScheme());
      return isWeb && url.getHost() != null && url.getUserInfo() == null;
    } catch (URISyntaxException _) {
      return false;
    }
  }

  private static String authorization(Section props, Secrets secrets) {
    String header = props.secret(AUTHORIZATION, secrets);
    Value value = props.value(AUTHORIZATION);
    if (value != null && !header.isEmpty() && !HEADER.matcher(header).matches()) {
      value.error(
          "is no value of an HTTP header", "write 'Bearer TOKEN', by ${env:…} or ${file:…}");
    }
    return header;
  }

  private static double percent(Section props) {
    double otherwise = Tracing.DEFAULTS.samplePercent();
    String text = props.text(PERCENT, Double.toString(otherwise));
    if (SHARE.matcher(text).matches()) {
      return Double.parseDouble(text);
    }
    Value value = props.value(PERCENT);
    if (value != null) {
      value.error("'" + text + "' is no percentage", "write a number from 0 to 100, such as 0.5");
    }
    return otherwise;
  }
}
