package io.anabranch.app;

import static java.lang.invoke.MethodType.methodType;

import io.anabranch.frontend.configuration.ConfigurationControl;
import io.anabranch.frontend.configuration.ConfigurationRefusedException;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandleProxies;
import java.lang.invoke.MethodHandles;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * SIGHUP has the configuration read again, as other servers do. Java has no API for signals that
 * its compiler takes without a warning that nothing switches off: hence the handles.
 */
final class HangUp {

  private static final Logger log = LoggerFactory.getLogger(HangUp.class);

  private HangUp() {}

  /** From now on, where the machine has the signal and nobody else has taken it. */
  static void runs(ConfigurationControl configuration) {
    Runnable reload = () -> Thread.ofVirtual().name("hang-up").start(() -> reload(configuration));
    try {
      MethodHandles.Lookup lookup = MethodHandles.lookup();
      Class<?> signal = Class.forName("sun.misc.Signal");
      Class<?> handler = Class.forName("sun.misc.SignalHandler");
      MethodHandle heard =
          lookup.findVirtual(Runnable.class, "run", methodType(void.class)).bindTo(reload);
      Object listener =
          MethodHandleProxies.asInterfaceInstance(
              handler, MethodHandles.dropArguments(heard, 0, signal));
      MethodHandle named = lookup.findConstructor(signal, methodType(void.class, String.class));
      lookup
          .findStatic(signal, "handle", methodType(handler, signal, handler))
          .invokeWithArguments(named.invokeWithArguments("HUP"), listener);
    } catch (Throwable unheard) {
      log.info("SIGHUP is not heard: {}", unheard.toString());
    }
  }

  private static void reload(ConfigurationControl configuration) {
    try {
      if (configuration.reload("SIGHUP").isEmpty()) {
        log.info("SIGHUP: the configuration is as it was");
      }
    } catch (ConfigurationRefusedException refused) {
      log.error("SIGHUP: the configuration stays as it is:\n{}", refused.getMessage());
    }
  }
}
