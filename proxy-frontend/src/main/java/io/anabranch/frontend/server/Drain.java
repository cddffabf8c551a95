package io.anabranch.frontend.server;

/** Told to each client's handler when the proxy is about to end. */
enum Drain {
  BEGINS
}
