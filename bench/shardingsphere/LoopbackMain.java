import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import java.lang.reflect.Method;
import org.apache.shardingsphere.proxy.config.ProxyConfigurationLoader;
import org.apache.shardingsphere.proxy.frontend.ShardingSphereProxy;
import org.apache.shardingsphere.proxy.initializer.BootstrapInitializer;

/**
 * Starts ShardingSphere-Proxy on the loopback address only. Its own entry point binds every address
 * and, in the releases Maven Central has, takes no other; everything but the bind is the proxy's
 * own.
 */
public final class LoopbackMain {

  public static void main(final String[] args) throws Exception {
    long begin = System.nanoTime();
    int port = Integer.parseInt(args[0]);
    new BootstrapInitializer().init(ProxyConfigurationLoader.load(args[1]), port);
    ShardingSphereProxy proxy = new ShardingSphereProxy();
    call(proxy, "createEventLoopGroup");
    ServerBootstrap bootstrap = new ServerBootstrap();
    Method init =
        ShardingSphereProxy.class.getDeclaredMethod("initServerBootstrap", ServerBootstrap.class);
    init.setAccessible(true);
    init.invoke(proxy, bootstrap);
    Channel channel = bootstrap.bind("127.0.0.1", port).sync().channel();
    System.out.println(
        "listening on "
            + channel.localAddress()
            + " after "
            + (System.nanoTime() - begin) / 1000000
            + " ms");
    channel.closeFuture().sync();
  }

  private static void call(final Object target, final String name) throws Exception {
    Method method = target.getClass().getDeclaredMethod(name);
    method.setAccessible(true);
    method.invoke(target);
  }
}
