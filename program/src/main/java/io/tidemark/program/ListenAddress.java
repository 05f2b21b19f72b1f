package io.tidemark.program;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.regex.Pattern;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;

/** An address of this machine on the command line; host names are not resolved. */
public final class ListenAddress {
  private static final Pattern NUMBERS = Pattern.compile("[0-9]+(\\.[0-9]+){3}|[0-9a-fA-F:.]*:.*");

  private ListenAddress() {}

  /** The address, or a complaint about the command line. */
  public static InetAddress of(CommandSpec command, String text) {
    if (text.equals("localhost")) {
      return InetAddress.getLoopbackAddress();
    }
    try {
      if (NUMBERS.matcher(text).matches()) {
        return InetAddress.getByName(text);
      }
    } catch (UnknownHostException e) {
      // said below
    }
    throw new ParameterException(
        command.commandLine(),
        "--listen is '" + text + "'; expected an IP address, such as 0.0.0.0 or ::, or localhost");
  }
}
