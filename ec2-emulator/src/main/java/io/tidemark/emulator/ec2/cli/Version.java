package io.tidemark.emulator.ec2.cli;

import java.util.Optional;
import picocli.CommandLine.IVersionProvider;

/** What {@code --version} says. */
final class Version implements IVersionProvider {
  @Override
  public String[] getVersion() {
    String version =
        Optional.ofNullable(Version.class.getPackage().getImplementationVersion())
            .orElse("of an unpacked build");
    return new String[] {"tidemark ec2-emulator " + version};
  }
}
