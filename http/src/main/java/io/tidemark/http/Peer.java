package io.tidemark.http;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.util.Arrays;
import java.util.HexFormat;

/**
 * Whom connections are counted for: an IPv4 address, or the /64 of an IPv6 address, because one
 * host has as many addresses of its /64 as it likes; the clients of a Unix socket together.
 */
record Peer(String key) {
  static final Peer SAME_MACHINE = new Peer("");

  private static final int NETWORK_BYTES = 8;

  static Peer of(InetAddress address) {
    byte[] bytes = address.getAddress();
    return new Peer(
        HexFormat.of()
            .formatHex(
                address instanceof Inet6Address ? Arrays.copyOf(bytes, NETWORK_BYTES) : bytes));
  }
}
