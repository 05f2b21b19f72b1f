package io.tidemark.emulator.kit.cli;

import java.util.Optional;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** The answer to {@code --version} of the command that it belongs to. */
public final class EmulatorVersion implements IVersionProvider {
  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public String[] getVersion() {
    String version =
        Optional.ofNullable(EmulatorVersion.class.getPackage().getImplementationVersion())
            .orElse("of an unpacked build");
    return new String[] {spec.qualifiedName() + " " + version};
  }
}
