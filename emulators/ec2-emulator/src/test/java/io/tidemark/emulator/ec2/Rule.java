package io.tidemark.emulator.ec2;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.emulator.ec2.protocol.Ec2Error;
import java.util.function.Function;

/**
 * One thing that EC2 forbids.
 *
 * @param source the document it stands in
 * @param says the rule
 * @param breach does what is forbidden, in a world of its own
 * @param code of the refusal
 * @param fragment of its text
 */
public record Rule(
    String source, String says, Function<World, Ec2Error> breach, String code, String fragment) {
  /** Breaks the rule in a new world and expects to be refused. */
  public void check() {
    World world = new World();
    Ec2Error error = breach.apply(world);
    assertThat(error.code()).as(error.toString()).isEqualTo(code);
    assertThat(error.message()).contains(fragment);
    Books.check(world.region());
  }

  @Override
  public String toString() {
    return says + " (" + source + ")";
  }
}
