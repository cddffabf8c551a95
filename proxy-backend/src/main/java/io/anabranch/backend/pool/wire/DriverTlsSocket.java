package io.anabranch.backend.pool.wire;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.SocketAddress;
import javax.net.ssl.HandshakeCompletedListener;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSession;
import javax.net.ssl.SSLSocket;
import org.jspecify.annotations.Nullable;

/**
 * The driver's socket once it wants TLS: the driver configures the engine as it would a socket, the
 * handshake puts the engine into the channel's pipeline, and the streams stay those of the {@link
 * DriverSocket}, whose bytes are plain on this side.
 */
final class DriverTlsSocket extends SSLSocket {

  private final DriverSocket socket;
  private final SSLEngine engine;

  DriverTlsSocket(DriverSocket socket, SSLEngine engine) {
    this.socket = socket;
    this.engine = engine;
    engine.setUseClientMode(true);
  }

  /** Blocks until both sides have agreed. */
  @Override
  public void startHandshake() throws IOException {
    socket.secure(engine);
  }

  @Override
  public SSLSession getSession() {
    return engine.getSession();
  }

  @Override
  public String[] getSupportedCipherSuites() {
    return engine.getSupportedCipherSuites();
  }

  @Override
  public String[] getEnabledCipherSuites() {
    return engine.getEnabledCipherSuites();
  }

  @Override
  public void setEnabledCipherSuites(String[] suites) {
    engine.setEnabledCipherSuites(suites);
  }

  @Override
  public String[] getSupportedProtocols() {
    return engine.getSupportedProtocols();
  }

  @Override
  public String[] getEnabledProtocols() {
    return engine.getEnabledProtocols();
  }

  @Override
  public void setEnabledProtocols(String[] protocols) {
    engine.setEnabledProtocols(protocols);
  }

  @Override
  public SSLParameters getSSLParameters() {
    return engine.getSSLParameters();
  }

  @Override
  public void setSSLParameters(SSLParameters parameters) {
    engine.setSSLParameters(parameters);
  }

  @Override
  public void setUseClientMode(boolean isClient) {
    engine.setUseClientMode(isClient);
  }

  @Override
  public boolean getUseClientMode() {
    return engine.getUseClientMode();
  }

  @Override
  public void setNeedClientAuth(boolean needed) {
    engine.setNeedClientAuth(needed);
  }

  @Override
  public boolean getNeedClientAuth() {
    return engine.getNeedClientAuth();
  }

  @Override
  public void setWantClientAuth(boolean wanted) {
    engine.setWantClientAuth(wanted);
  }

  @Override
  public boolean getWantClientAuth() {
    return engine.getWantClientAuth();
  }

  @Override
  public void setEnableSessionCreation(boolean enabled) {
    engine.setEnableSessionCreation(enabled);
  }

  @Override
  public boolean getEnableSessionCreation() {
    return engine.getEnableSessionCreation();
  }

  /** Nobody is told: {@link #startHandshake} returns when it is done. */
  @Override
  public void addHandshakeCompletedListener(HandshakeCompletedListener listener) {
    throw new UnsupportedOperationException("wait for startHandshake");
  }

  @Override
  public void removeHandshakeCompletedListener(HandshakeCompletedListener listener) {
    throw new IllegalArgumentException("not registered");
  }

  // ---- the socket below

  @Override
  public InputStream getInputStream() {
    return socket.getInputStream();
  }

  @Override
  public OutputStream getOutputStream() {
    return socket.getOutputStream();
  }

  @Override
  public void close() {
    socket.close();
  }

  @Override
  public boolean isConnected() {
    return socket.isConnected();
  }

  @Override
  public boolean isBound() {
    return socket.isBound();
  }

  @Override
  public boolean isClosed() {
    return socket.isClosed();
  }

  @Override
  public boolean isInputShutdown() {
    return socket.isInputShutdown();
  }

  @Override
  public boolean isOutputShutdown() {
    return socket.isOutputShutdown();
  }

  @Override
  public void setSoTimeout(int milliseconds) {
    socket.setSoTimeout(milliseconds);
  }

  @Override
  public int getSoTimeout() {
    return socket.getSoTimeout();
  }

  @Override
  public @Nullable SocketAddress getRemoteSocketAddress() {
    return socket.getRemoteSocketAddress();
  }

  @Override
  public @Nullable InetAddress getInetAddress() {
    return socket.getInetAddress();
  }

  @Override
  public int getPort() {
    return socket.getPort();
  }

  // The dialer has set these on the channel.

  @Override
  public void setTcpNoDelay(boolean on) {}

  @Override
  public void setKeepAlive(boolean on) {}

  @Override
  public void setSoLinger(boolean on, int seconds) {}

  @Override
  public String toString() {
    return "DriverTlsSocket[" + socket + "]";
  }
}
