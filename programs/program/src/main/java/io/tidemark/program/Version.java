package io.tidemark.program;

import java.util.Optional;
import picocli.CommandLine.IVersionProvider;

/** The output of {@code --version}. */
public final class Version implements IVersionProvider {
  @Override
  public String[] getVersion() {
    String version =
        Optional.ofNullable(Version.class.getPackage().getImplementationVersion())
            .orElse("of an unpacked build");
    return new String[] {
      "tidemark " + version,
      "Java "
          + System.getProperty("java.version")
          + ", "
          + System.getProperty("java.vendor")
          + ", "
          + System.getProperty("os.name")
          + " "
          + System.getProperty("os.arch")
    };
  }
}
