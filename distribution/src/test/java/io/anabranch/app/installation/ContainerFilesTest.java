package io.anabranch.app.installation;

import static org.assertj.core.api.Assertions.assertThat;

import io.anabranch.app.check.InstalledAlgorithms;
import io.anabranch.rules.config.yaml.ConfigurationText;
import io.anabranch.rules.model.LogicalDatabase;
import io.anabranch.rules.model.RuleSet;
import java.io.IOException;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.yaml.snakeyaml.Yaml;

/** What the files for containers name is there: files, services, ports, variables, paths, props. */
class ContainerFilesTest {

  private static final Path DOCKER = Path.of("..", "docker");

  /** Of the compose specification, what these files use. */
  private static final Set<String> SERVICE_KEYS =
      Set.of(
          "image",
          "build",
          "environment",
          "command",
          "entrypoint",
          "healthcheck",
          "depends_on",
          "volumes",
          "ports",
          "restart",
          "init",
          "mem_limit",
          "stop_grace_period",
          "read_only",
          "tmpfs",
          "cap_drop",
          "security_opt",
          "networks");

  private static final Set<String> CONDITIONS =
      Set.of("service_started", "service_healthy", "service_completed_successfully");

  private static final Pattern URL = Pattern.compile("jdbc:mysql://([a-z0-9-]+):(\\d+)/");

  private static final Pattern GRANT =
      Pattern.compile("GRANT ([A-Z,\\s]+?)\\s+ON (\\S+) TO proxy@");

  @TempDir Path temporary;

  private static Object yaml(Path file) throws IOException {
    return new Yaml().load(Files.readString(file));
  }

  private static Map<String, Object> map(@Nullable Object value) {
    var map = new LinkedHashMap<String, Object>();
    ((Map<?, ?>) Objects.requireNonNull(value))
        .forEach((key, each) -> map.put(String.valueOf(key), each));
    return map;
  }

  private static List<?> items(@Nullable Object list) {
    return (List<?>) Objects.requireNonNull(list);
  }

  private static @Nullable Object first(@Nullable Object list) {
    return items(list).getFirst();
  }

  /** Of strings: a command with a colon in it may be a mapping unseen. Empty if it is null. */
  private static List<String> list(@Nullable Object value) {
    if (value == null) {
      return List.of();
    }
    assertThat(items(value)).hasOnlyElementsOfType(String.class);
    return items(value).stream().map(String.class::cast).toList();
  }

  private static Map<String, Object> services(String file) throws IOException {
    return map(map(yaml(DOCKER.resolve(file))).get("services"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"compose.yaml", "compose.small.yaml"})
  void servicesNameWhatIsThere(String file) throws IOException {
    Map<String, Object> whole = map(yaml(DOCKER.resolve(file)));
    assertThat(whole.keySet())
        .allMatch(
            key -> Set.of("name", "services", "networks").contains(key) || key.startsWith("x-"));
    Map<String, Object> services = services(file);
    for (Map.Entry<String, Object> entry : services.entrySet()) {
      Map<String, Object> service = map(entry.getValue());
      assertThat(SERVICE_KEYS).as(entry.getKey()).containsAll(service.keySet());
      assertThat(service).as(entry.getKey()).containsKeys("image", "mem_limit", "restart");
      assertThat(String.valueOf(service.get("mem_limit"))).matches("\\d+m");
      assertThat(list(service.get("command"))).doesNotContain("");
      assertThat(list(service.get("entrypoint"))).doesNotContain("");
      for (String volume : list(service.get("volumes"))) {
        String source = volume.split(":", 2)[0];
        assertThat(DOCKER.resolve(source)).as(volume).exists();
        assertThat(volume).endsWith(":ro");
      }
      if (service.containsKey("depends_on")) {
        map(service.get("depends_on"))
            .forEach(
                (name, how) -> {
                  assertThat(services).containsKey(name);
                  String condition = String.valueOf(map(how).get("condition"));
                  assertThat(CONDITIONS).contains(condition);
                  if (condition.equals("service_healthy") && !isProxy(map(services.get(name)))) {
                    assertThat(map(services.get(name))).as(name).containsKey("healthcheck");
                  }
                });
      }
      for (String network : list(service.get("networks"))) {
        assertThat(map(whole.get("networks"))).containsKey(network);
      }
      for (String port : list(service.get("ports"))) {
        assertThat(port).startsWith("127.0.0.1:");
      }
    }
  }

  private static boolean isProxy(Map<String, Object> service) {
    return "anabranch:demo".equals(service.get("image"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"compose.yaml", "compose.small.yaml"})
  void proxiesAreKeptToWhatTheyNeed(String file) throws IOException {
    List<Map<String, Object>> proxies =
        services(file).values().stream()
            .map(ContainerFilesTest::map)
            .filter(ContainerFilesTest::isProxy)
            .toList();
    assertThat(proxies).isNotEmpty();
    String image = Files.readString(DOCKER.resolve("Dockerfile"));
    assertThat(image).contains("USER 3307:3307");
    for (Map<String, Object> proxy : proxies) {
      assertThat(proxy).containsEntry("read_only", true);
      assertThat(list(proxy.get("cap_drop"))).containsExactly("ALL");
      assertThat(list(proxy.get("tmpfs")))
          .contains("/tmp", "/opt/anabranch/logs:uid=3307,gid=3307,mode=0700");
      // what is set is read, and what is mounted does not lie over conf/
      String read = Files.readString(DOCKER.resolve("entrypoint.sh"));
      map(proxy.get("environment"))
          .keySet()
          .forEach(name -> assertThat(read).contains("${" + name));
      String conf = list(proxy.get("volumes")).getFirst().split(":", 3)[1];
      assertThat(map(proxy.get("environment"))).containsEntry("CONF_DIR", conf);
      assertThat(conf).isNotEqualTo("/opt/anabranch/conf");
      String grace = String.valueOf(proxy.get("stop_grace_period")).replace("s", "");
      RuleSet rules = rules(DOCKER.resolve(source(proxy)));
      long ending =
          rules.properties().ending().lameDuckMilliseconds()
              + rules.properties().ending().timeoutMilliseconds();
      assertThat(Long.parseLong(grace) * 1000).isGreaterThan(ending);
    }
  }

  private static String source(Map<String, Object> proxy) {
    return list(proxy.get("volumes")).getFirst().split(":", 2)[0];
  }

  private static RuleSet rules(Path folder) {
    return InstalledAlgorithms.loader().load(folder).ruleSet();
  }

  @ParameterizedTest
  @ValueSource(strings = {"compose.yaml", "compose.small.yaml"})
  void configurationsNameServicesAndAccountsThatAreThere(String file) throws IOException {
    Map<String, Object> services = services(file);
    String source =
        services.values().stream()
            .map(ContainerFilesTest::map)
            .filter(ContainerFilesTest::isProxy)
            .map(ContainerFilesTest::source)
            .findFirst()
            .orElseThrow();
    RuleSet rules = rules(DOCKER.resolve(source));
    assertThat(rules.databases()).containsKey("shop");
    Matcher urls =
        URL.matcher(Files.readString(DOCKER.resolve(source).resolve("database-shop.yaml")));
    var hosts = urls.results().map(url -> url.group(1)).toList();
    assertThat(hosts).isNotEmpty().allMatch(services::containsKey);
    String accounts;
    try (Stream<Path> scripts = Files.list(DOCKER.resolve("sql"))) {
      accounts =
          scripts
              .map(ContainerFilesTest::text)
              .filter(text -> text.contains("IDENTIFIED BY 'proxy-demo'"))
              .collect(Collectors.joining());
    }
    for (LogicalDatabase database : rules.databases().values()) {
      database
          .dataSources()
          .values()
          .forEach(each -> assertThat(accounts).contains("proxy@'%' IDENTIFIED BY 'proxy-demo'"));
    }
    assertThat(grantedBeyondTheShop(accounts))
        .containsExactlyInAnyOrder("REPLICATION CLIENT ON *.*", "SELECT ON performance_schema.*");
  }

  @Test
  void theDemosProxyMayNoMoreThanItNeeds() {
    String demo = text(Path.of("..", "demo.sh"));
    assertThat(demo).contains("username: proxy, ", "CREATE USER IF NOT EXISTS proxy@'%'");
    assertThat(grantedBeyondTheShop(demo))
        .containsExactly(
            "REPLICATION CLIENT, PROCESS ON *.*",
            "SELECT ON performance_schema.*",
            "REPLICA MONITOR, PROCESS ON *.*");
  }

  /** No more than docs/security.md says. */
  private static List<String> grantedBeyondTheShop(String accounts) {
    List<String> wide = new ArrayList<>();
    Matcher grants = GRANT.matcher(accounts);
    while (grants.find()) {
      if (!grants.group(2).startsWith("shop")) {
        wide.add(grants.group(1) + " ON " + grants.group(2));
      }
      assertThat(grants.group(1)).doesNotContain("ALL", "SUPER", "GRANT OPTION");
    }
    return wide;
  }

  private static String text(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void balancerAndCollectorNameTheProxies() throws IOException {
    Map<String, Object> services = services("compose.yaml");
    RuleSet rules = rules(DOCKER.resolve("conf"));
    int admin = rules.properties().admin().port();
    assertThat(rules.properties().admin().address()).isEqualTo("0.0.0.0");
    String balancer = Files.readString(DOCKER.resolve("haproxy/haproxy.cfg"));
    Map<String, Object> prometheus = map(yaml(DOCKER.resolve("prometheus/prometheus.yml")));
    List<String> targets =
        list(
            map(first(map(first(prometheus.get("scrape_configs"))).get("static_configs")))
                .get("targets"));
    List<String> proxies =
        services.keySet().stream().filter(name -> isProxy(map(services.get(name)))).toList();
    assertThat(proxies).hasSize(2);
    for (String proxy : proxies) {
      assertThat(balancer).contains("server " + proxy + " " + proxy + ":3307 check port " + admin);
      assertThat(targets).contains(proxy + ":" + admin);
    }
    assertThat(targets).hasSize(2);
    // down is what the balancer knows before the lame duck's time is over
    Matcher check = Pattern.compile("inter (\\d+)ms fall (\\d+)").matcher(balancer);
    assertThat(check.find()).isTrue();
    assertThat(rules.properties().ending().lameDuckMilliseconds())
        .isGreaterThan(Long.parseLong(check.group(1)) * (Long.parseLong(check.group(2)) + 1));
    for (String rule : list(prometheus.get("rule_files"))) {
      assertThat(list(map(services.get("prometheus")).get("volumes")))
          .anyMatch(volume -> volume.split(":", 3)[1].equals(rule));
    }
    Map<String, Object> grafana = map(services.get("grafana"));
    String provider = text(DOCKER.resolve("grafana/provisioning/dashboards/anabranch.yaml"));
    String home =
        String.valueOf(
            map(grafana.get("environment")).get("GF_DASHBOARDS_DEFAULT_HOME_DASHBOARD_PATH"));
    assertThat(provider).contains("path: " + Path.of(home).getParent());
    assertThat(list(grafana.get("volumes")))
        .anyMatch(volume -> volume.split(":", 3)[1].equals(home));
    assertThat(text(DOCKER.resolve("grafana/provisioning/datasources/prometheus.yaml")))
        .contains("url: http://prometheus:9090");
  }

  @Test
  void kubernetesNamesWhatIsThere() throws IOException {
    var documents = new ArrayList<Map<String, Object>>();
    try (var reader =
        new StringReader(
            Files.readString(
                DOCKER.resolve("kubernetes/anabranch.yaml"), StandardCharsets.UTF_8))) {
      StreamSupport.stream(new Yaml().loadAll(reader).spliterator(), false)
          .forEach(document -> documents.add(map(document)));
    }
    Map<String, Map<String, Object>> kinds =
        documents.stream()
            .collect(Collectors.toMap(each -> String.valueOf(each.get("kind")), each -> each));
    assertThat(kinds.keySet())
        .containsExactlyInAnyOrder(
            "Secret", "ConfigMap", "Deployment", "Service", "PodDisruptionBudget");
    Map<String, Object> pod =
        map(map(map(map(kinds.get("Deployment")).get("spec")).get("template")).get("spec"));
    Map<String, Object> container = map(first(pod.get("containers")));
    Map<String, String> mounts = new LinkedHashMap<>();
    items(container.get("volumeMounts"))
        .forEach(
            each ->
                mounts.put(
                    String.valueOf(map(each).get("name")),
                    String.valueOf(map(each).get("mountPath"))));
    assertThat(
            items(pod.get("volumes")).stream().map(each -> String.valueOf(map(each).get("name"))))
        .containsExactlyInAnyOrderElementsOf(mounts.keySet());

    // its configuration is taken, with the secrets where they are mounted
    Path secrets = Files.createDirectories(temporary.resolve("secrets"));
    for (Map.Entry<String, Object> secret :
        map(map(kinds.get("Secret")).get("stringData")).entrySet()) {
      Files.writeString(secrets.resolve(secret.getKey()), String.valueOf(secret.getValue()));
    }
    Map<String, Object> files = map(map(kinds.get("ConfigMap")).get("data"));
    List<ConfigurationText> texts =
        files.entrySet().stream()
            .filter(file -> file.getKey().endsWith(".yaml"))
            .map(
                file ->
                    new ConfigurationText(
                        file.getKey(),
                        String.valueOf(file.getValue())
                            .replace(String.valueOf(mounts.get("secrets")), secrets.toString())))
            .toList();
    RuleSet rules = InstalledAlgorithms.loader().load(texts).ruleSet();
    assertThat(rules.databases()).containsKey("shop");
    assertThat(files).containsKey("jvm.options");
    assertThat(String.valueOf(container.get("env")))
        .contains("CONF_DIR", String.valueOf(mounts.get("conf")));
    assertThat(mounts.get("logs")).isEqualTo("/opt/anabranch/logs");

    // a pod has time enough to end
    long grace = Long.parseLong(String.valueOf(pod.get("terminationGracePeriodSeconds"))) * 1000;
    assertThat(grace)
        .isGreaterThan(
            rules.properties().ending().lameDuckMilliseconds()
                + rules.properties().ending().timeoutMilliseconds());
    assertThat(String.valueOf(container.get("ports")))
        .contains("containerPort=3307", "containerPort=" + rules.properties().admin().port());
    assertThat(map(map(container.get("readinessProbe")).get("httpGet")))
        .containsEntry("path", "/ready");
    List<String> atEnd =
        list(map(map(map(container.get("lifecycle")).get("preStop")).get("exec")).get("command"));
    assertThat(atEnd.getLast())
        .contains("127.0.0.1/" + rules.properties().admin().port(), "POST /drain ");
    for (String probe : List.of("startupProbe", "livenessProbe")) {
      String program = list(map(map(container.get(probe)).get("exec")).get("command")).getFirst();
      assertThat(Path.of("src").resolve(Path.of("/opt/anabranch").relativize(Path.of(program))))
          .exists();
    }
    assertThat(map(container.get("securityContext")))
        .containsEntry("readOnlyRootFilesystem", true)
        .containsEntry("allowPrivilegeEscalation", false);
    Map<String, Object> labels =
        map(map(map(map(kinds.get("Deployment")).get("spec")).get("selector")).get("matchLabels"));
    assertThat(map(map(map(kinds.get("Service")).get("spec")).get("selector"))).isEqualTo(labels);
    assertThat(
            map(
                map(map(map(kinds.get("PodDisruptionBudget")).get("spec")).get("selector"))
                    .get("matchLabels")))
        .isEqualTo(labels);
  }
}
