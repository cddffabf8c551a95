package io.anabranch.app;

import static java.lang.invoke.MethodType.methodType;

import io.anabranch.frontend.configuration.ConfigurationControl;
import io.anabranch.frontend.configuration.ConfigurationRefusedException;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandleProxies;
import java.lang.invoke.MethodHandles;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What signals do here. Java has no API for them that its compiler takes without a warning that
 * nothing switches off: hence the handles.
 */
final class Signals {

  private static final Logger log = LoggerFactory.getLogger(Signals.class);

  /** By name, with what a process ends with that a signal has ended. */
  private static final Map<String, Integer> ENDS = Map.of("TERM", 128 + 15, "INT", 128 + 2);

  private Signals() {}

  /** SIGHUP has the configuration read again from now on, as in other servers. */
  static void reload(ConfigurationControl configuration) {
    on("HUP", () -> Thread.ofVirtual().name("hang-up").start(() -> reloaded(configuration)));
  }

  /**
   * SIGTERM and SIGINT end the process in order; a second one tells it not to wait for its clients.
   *
   * @param atOnce runs with the second
   */
  static void end(Runnable atOnce) {
    var isEnding = new AtomicBoolean();
    for (Map.Entry<String, Integer> each : ENDS.entrySet()) {
      on(
          each.getKey(),
          () -> {
            if (isEnding.getAndSet(true)) {
              atOnce.run();
            } else {
              Thread.ofPlatform().name("end").start(() -> System.exit(each.getValue()));
            }
          });
    }
  }

  private static void on(String name, Runnable action) {
    try {
      MethodHandles.Lookup lookup = MethodHandles.lookup();
      Class<?> signal = Class.forName("sun.misc.Signal");
      Class<?> handler = Class.forName("sun.misc.SignalHandler");
      MethodHandle heard =
          lookup.findVirtual(Runnable.class, "run", methodType(void.class)).bindTo(action);
      Object listener =
          MethodHandleProxies.asInterfaceInstance(
              handler, MethodHandles.dropArguments(heard, 0, signal));
      MethodHandle named = lookup.findConstructor(signal, methodType(void.class, String.class));
      lookup
          .findStatic(signal, "handle", methodType(handler, signal, handler))
          .invokeWithArguments(named.invokeWithArguments(name), listener);
    } catch (Throwable unheard) {
      log.info("SIG{} is not heard: {}", name, unheard.toString());
    }
  }

  private static void reloaded(ConfigurationControl configuration) {
    try {
      if (configuration.reload("SIGHUP").isEmpty()) {
        log.info("SIGHUP: the configuration is as it was");
      }
    } catch (ConfigurationRefusedException refused) {
      log.error("SIGHUP: the configuration stays as it is:\n{}", refused.getMessage());
    }
  }
}
