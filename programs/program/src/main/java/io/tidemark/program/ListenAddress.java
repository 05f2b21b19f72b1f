package io.tidemark.program;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;

/** An address of this machine on the command line or in a setting; host names are not resolved. */
public final class ListenAddress {
  private static final Pattern NUMBERS = Pattern.compile("[0-9]+(\\.[0-9]+){3}|[0-9a-fA-F:.]*:.*");

  private static final Pattern WITH_PORT =
      Pattern.compile("(|\\[([0-9a-fA-F:.]+)\\]|[a-z0-9.]+):([0-9]{1,5})");

  private static final int LARGEST_PORT = 65_535;

  private ListenAddress() {}

  /** The address, or a complaint about the command line. */
  public static InetAddress of(CommandSpec command, String text) {
    return parse(text)
        .orElseThrow(
            () ->
                new ParameterException(
                    command.commandLine(),
                    "--listen is '"
                        + text
                        + "'; expected an IP address, such as 0.0.0.0 or ::, or localhost"));
  }

  /** An address and a port, such as {@code 127.0.0.1:61679}, {@code [::]:0} or {@code :61678}. */
  public static Optional<InetSocketAddress> parseWithPort(String text) {
    Matcher parts = WITH_PORT.matcher(text);
    if (!parts.matches() || Integer.parseInt(parts.group(3)) > LARGEST_PORT) {
      return Optional.empty();
    }
    int port = Integer.parseInt(parts.group(3));
    if (parts.group(1).isEmpty()) {
      return Optional.of(new InetSocketAddress(port));
    }
    String address = parts.group(2) == null ? parts.group(1) : parts.group(2);
    return parse(address).map(each -> new InetSocketAddress(each, port));
  }

  private static Optional<InetAddress> parse(String text) {
    if (text.equals("localhost")) {
      return Optional.of(InetAddress.getLoopbackAddress());
    }
    try {
      return NUMBERS.matcher(text).matches()
          ? Optional.of(InetAddress.getByName(text))
          : Optional.empty();
    } catch (UnknownHostException e) {
      return Optional.empty();
    }
  }
}
