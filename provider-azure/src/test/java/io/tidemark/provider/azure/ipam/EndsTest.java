package io.tidemark.provider.azure.ipam;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.emulator.arm.model.ArmFault;
import io.tidemark.resilience.Failure;
import io.tidemark.spi.BlockedReason;
import java.time.Duration;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

@DisplayName("How operations end, and what befalls machines (Z13, Z17, Z18)")
class EndsTest {
  @TestFactory
  Stream<DynamicTest> stories() {
    return AzureStory.all(
        "cloud operation: 20s; ",
        """
        AZ-N3 AZ-N20 F9 an operation that failed is a failure, with its innermost error
          on;
          fault fail-operation write status=409 code=Outer because=InternalExecutionError times=1;
          allocate 4 Refused CONFLICT InternalExecutionError; sync ?; has 0; free; noFault; add 4
        AZ-N3 an operation that failed because the subnet is full is an exhausted pool
          on;
          fault fail-operation write status=400 code=NetworkingInternalOperationError
          because=SubnetIsFull times=1; allocate 4 PoolExhausted
        AZ-N3 an operation that was canceled is superseded, and nothing is assumed undone
          on; fault cancel-operation write times=1; allocate 4 Refused superseded; sync ?; has 0;
          allocate 2; sync ?; same has azure
        AZ-N3 a response that says Succeeded beside an operation is waited for
          on; answers "Updating" => "Succeeded"; add 4; asked Operations.Get 3
        AZ-N21 ghosts take places, are not shown, and the next write drops them
          UNIFORM: on; fault fail-operation write times=1; allocate 250 Refused; sync ?; has 0;
          shown 0; reported nothing; add 255; reported GHOSTS_DROPPED; writes 2
        AZ-N21 ghosts that an operator before left are dropped a horizon after they are noticed
          UNIFORM: other on; fault fail-operation write times=1; other allocate 255 Refused; on;
          allocate 20 LimitReached; 61s; add 20; reported GHOSTS_DROPPED; has 20
        AZ-N21 what another has added and a list does not show yet is no ghost
          UNIFORM: on; other on; other add 3; answers hidingOurs; allocate 2 Refused unshown;
          answers asTheyAre; 1m; sync ?; add 2; azure 5
        AZ-N21 what was not shown once and then was is no ghost when it is not shown again
          UNIFORM: on; other on; add 3;
          times 2 other sync ? / other add 1 / remember / answers hidingOurs / allocate 3 ? /
          answers asTheyAre / 2m / sync ? / kept / add 1
        AZ-N43 an instance that is stopped or deleted gets no write, and resumes by itself
          UNIFORM: on; power STOPPED; allocate 1 InstanceNotRunning; sync; power DEALLOCATED;
          allocate 1 InstanceNotRunning; sync; power DEALLOCATING; allocate 1 InstanceNotRunning;
          sync; writes 0; power RUNNING; add 1; markForDeletion; allocate 1 InstanceNotRunning;
          writes 1
        AZ-N43 a deallocated virtual machine's interface is written like any other
          MACHINE: on; power DEALLOCATED; add 2; asked VirtualMachines.Get 1
        AZ-N44 an upgrade to the set's model: believed at the second sight, told, begun anew
          UNIFORM: on; add 5 as five; 6m; upgrade; sync Failed; has five; 30s; sync Failed; resync;
          has five; reported nothing; 31s; sync; has 0; reported CONFIGURATIONS_REPLACED; add 5;
          azure 5; 6m; sync ?; reports 1
        AZ-N44 an upgrade right after a write is reported once, when the write is no longer believed
          UNIFORM: on; add 5; upgrade; times 12 sync ? / 40s; has 0;
          reported CONFIGURATIONS_REPLACED
        AZ-N44 one wrong read changes nothing; the next counts from the last good one
          UNIFORM: on; add 5 as five; 6m; answers emptied; sync Failed; answers asTheyAre; sync;
          has five; 2m; upgrade; sync Failed; reported nothing
        AZ-N44 a read that shows other addresses alone is doubted as one that shows none
          UNIFORM: on; add 5 as five; 6m; upgrade; other on; other add 2 as two; apart two five;
          sync Failed; has five; 61s; sync; has two
        Z35 of a virtual machine one read is believed that shows none of its addresses
          MACHINE: on; add 5 as five; 6m; other on; other release five; sync; has 0;
          reported nothing
        AZ-N44 what we have released ourselves is no replacement
          UNIFORM: on; add 5 as five; release five; sync; 6m; sync; reported nothing
        AZ-N39 an operation at another host is not polled but reported, and no token goes there
          on; header Azure-AsyncOperation https://evil.example/operations/1?s=signed; add 3;
          notSentTo evil.example; asked Operations.Get 0; reported FOREIGN_OPERATION_URL
        AZ-N42 an operation that is not found or not ours to read: the resource's state decides
          on; fault fail Operations.Get status=404 code=NotFound; add 3; reported nothing; on;
          noFault; fault fail Operations.Get status=403 code=AuthorizationFailed; add 3;
          reported nothing; asked Operations.Get 2
        AZ-N49 an interface that failed is written; what Azure has not completed is not shown
          MACHINE: on; fault fail-operation write times=1; allocate 2 Refused; states failed;
          other on; other has 0; other shownState failed; noFault; other allocate 1;
          states succeeded; other sync ?; other same has azure\
        """);
  }

  @EachForm
  @DisplayName(
      "AZ-B11 failures are values: the same error is the same kind and condition each time")
  void failuresAreValues(Form form) {
    AzureWorld world = AzureWorld.lasting(Duration.ofSeconds(20));
    OneNode node = OneNode.on(world, form.machine);
    for (int status : new int[] {400, 403, 404, 409, 500}) {
      world.azure.faults(ArmFault.refusing("*", status, "Some"));

      Failure first = OneNode.refusal(node.allocate(1));
      Failure second = OneNode.refusal(node.allocate(1));
      assertThat(second.kind()).isEqualTo(first.kind());
      assertThat(second.condition()).isEqualTo(first.condition());
      assertThat(node.blocked()).isNotEqualTo(Optional.of(BlockedReason.READING_BACK));
    }
  }
}
