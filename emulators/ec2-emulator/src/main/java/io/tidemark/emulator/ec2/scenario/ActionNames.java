package io.tidemark.emulator.ec2.scenario;

import io.tidemark.emulator.ec2.action.Actions;
import io.tidemark.emulator.ec2.model.Action;
import io.tidemark.emulator.ec2.sts.Sts;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** The names that rules can be about; any other one is a mistake. */
public final class ActionNames {
  public static final String EXPECTED = "the name of an action of the emulator, or *";

  private static final Set<String> EC2 = names();

  private ActionNames() {}

  /** An action of EC2. */
  static Optional<String> ofEc2(String text) {
    return Optional.of(text).filter(EC2::contains);
  }

  /** An action of EC2 or STS, or {@code *} for all. */
  public static Optional<String> any(String text) {
    return Optional.of(text)
        .filter(t -> t.equals("*") || EC2.contains(t) || Sts.ACTIONS.containsKey(t));
  }

  private static Set<String> names() {
    Set<String> names = new TreeSet<>();
    Actions.all().stream().map(Action::name).forEach(names::add);
    return names;
  }
}
