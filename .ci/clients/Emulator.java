import io.tidemark.emulator.ec2.Ec2Emulator;
import io.tidemark.emulator.ec2.model.ModelOptions;
import io.tidemark.emulator.ec2.types.InstanceTypes;

/** Starts the emulator on a free port, prints its endpoint, ends when its input does. */
final class Emulator {
  private Emulator() {}

  public static void main(String[] arguments) throws Exception {
    ModelOptions options = ModelOptions.of(1, InstanceTypes.bundled());
    try (Ec2Emulator.Listening emulator = Ec2Emulator.listen(0, options)) {
      System.out.println(emulator.endpoint());
      while (System.in.read() >= 0) {
        // Nothing is said to it.
      }
    }
  }
}
