package io.tidemark.daemon.ipamd;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Which versions of the plugin are served, and in what form. Immutable. */
public final class PluginVersions {
  private static final Pattern VERSION = Pattern.compile("v?(\\d{1,4})\\.(\\d{1,4})(\\D.*)?");

  /** The first version whose requests name container, interface and network. */
  private static final int FIRST = number(1, 7);

  private static final int FIRST_WITH_LIST = number(1, 20);

  private final Optional<String> only;

  private PluginVersions(Optional<String> only) {
    this.only = only;
  }

  /**
   * Every version from 1.7, and the newest form for a client that does not know its version, as one
   * that was built without linker flags.
   */
  public static PluginVersions all() {
    return new PluginVersions(Optional.empty());
  }

  /** Only clients of exactly this version, as the daemon of the VPC CNI has it. */
  public static PluginVersions only(String version) {
    return new PluginVersions(Optional.of(version));
  }

  /** The form for a client; empty when it is not served. */
  public Optional<WireForm> form(String client) {
    if (only.isPresent() && !only.get().equals(client)) {
      return Optional.empty();
    }
    Matcher version = VERSION.matcher(client);
    if (!version.matches()) {
      return Optional.of(WireForm.ADDRESS_LIST);
    }
    int number = number(Integer.parseInt(version.group(1)), Integer.parseInt(version.group(2)));
    if (only.isEmpty() && number < FIRST) {
      return Optional.empty();
    }
    return Optional.of(number < FIRST_WITH_LIST ? WireForm.ONE_ADDRESS : WireForm.ADDRESS_LIST);
  }

  /** Why a client is not served, as the VPC CNI says it. */
  public String refusal(String client) {
    return "wrong client version \"" + client + "\" (!= \"" + only.orElse("1.7.0 or newer") + "\")";
  }

  private static int number(int major, int minor) {
    return major * 10_000 + minor;
  }
}
