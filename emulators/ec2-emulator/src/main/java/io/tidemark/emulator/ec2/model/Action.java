package io.tidemark.emulator.ec2.model;

import io.tidemark.emulator.ec2.protocol.Answer;
import io.tidemark.emulator.ec2.protocol.ParameterShape;
import io.tidemark.emulator.ec2.protocol.Parameters;

/**
 * One action of the API: its parameters and its effect. Stateless; its changes are in the region of
 * the call and are undone if it refuses.
 */
public interface Action {
  /** As clients name it, {@code CreateVpc}. */
  String name();

  /** The parameters that it takes, {@code DryRun} included where EC2 has it. */
  ParameterShape shape();

  /**
   * Does it.
   *
   * @throws io.tidemark.emulator.ec2.protocol.Ec2Refusal when a rule of EC2 forbids it
   */
  Answer answer(Call call);

  /** How many tokens of the action's resource bucket the request takes; 0 for none. */
  default int resources(Parameters parameters) {
    return 0;
  }
}
