package io.tidemark.kubernetes.server;

import java.io.IOException;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.NetworkInterface;

/**
 * An address at which the API server can reach a program of a test as a Pod. The server refuses
 * loopback ("address not allowed"), so it is an address of the machine, which no packet leaves.
 */
public final class PodAddress {
  private PodAddress() {}

  /** The first IPv4 address of the machine besides loopback. */
  public static String ofThisMachine() throws IOException {
    for (NetworkInterface each : NetworkInterface.networkInterfaces().toList()) {
      for (InetAddress own : each.inetAddresses().toList()) {
        if (each.isUp()
            && own instanceof Inet4Address
            && !own.isLoopbackAddress()
            && !own.isLinkLocalAddress()) {
          return own.getHostAddress();
        }
      }
    }
    throw new IOException("the machine has no IPv4 address besides loopback");
  }
}
