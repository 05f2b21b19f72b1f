package io.tidemark.daemon.machine;

import io.tidemark.agent.crd.LocalInterfaces;
import io.tidemark.time.TimeSource;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.time.Duration;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The network interfaces of this machine, by their MACs. The system is asked once a second at most,
 * and only while somebody asks. An interface whose MAC is not known counts as present. Thread-safe.
 */
final class MachineInterfaces implements LocalInterfaces {
  private static final Logger LOG = LoggerFactory.getLogger(MachineInterfaces.class);
  private static final long FRESH_NANOS = Duration.ofSeconds(1).toNanos();

  private final TimeSource time;
  private final Source source;
  private volatile @Nullable Listed last;

  @FunctionalInterface
  interface Source {
    /** Those of all interfaces, as {@code 02abcdef0102}. */
    Set<String> macs() throws SocketException;
  }

  private record Listed(Set<String> macs, long nanos, boolean failed) {}

  MachineInterfaces(TimeSource time, Source source) {
    this.time = time;
    this.source = source;
  }

  static MachineInterfaces of(TimeSource time) {
    return new MachineInterfaces(time, MachineInterfaces::ofSystem);
  }

  @Override
  public boolean present(String id, String mac) {
    String digits = mac.replaceAll("[^0-9A-Fa-f]", "").toLowerCase(Locale.ROOT);
    return digits.isEmpty() || listed().contains(digits);
  }

  /** Two callers at once may both read; either list is right. */
  private Set<String> listed() {
    Listed before = last;
    long now = time.nanos();
    if (before != null && now - before.nanos() < FRESH_NANOS) {
      return before.macs();
    }
    Listed next = read(before, now);
    last = next;
    return next.macs();
  }

  private Listed read(@Nullable Listed before, long now) {
    try {
      return new Listed(source.macs(), now, false);
    } catch (SocketException e) {
      if (before == null || !before.failed()) {
        LOG.warn(
            "The network interfaces of this machine cannot be listed; the last list counts", e);
      }
      return new Listed(before == null ? Set.of() : before.macs(), now, true);
    }
  }

  private static Set<String> ofSystem() throws SocketException {
    Set<String> macs = new TreeSet<>();
    for (NetworkInterface each : NetworkInterface.networkInterfaces().toList()) {
      try {
        byte[] mac = each.getHardwareAddress();
        if (mac != null) {
          macs.add(HexFormat.of().formatHex(mac));
        }
      } catch (SocketException gone) {
        LOG.debug("An interface is gone again. name={}", each.getName());
      }
    }
    return macs;
  }
}
