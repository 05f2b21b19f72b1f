package example.provider;

import io.tidemark.ip.AddressSet;
import io.tidemark.resilience.Failure;
import java.util.List;
import java.util.Set;

/**
 * The cloud's API, one blocking request per method. A client library stands behind it in a real
 * provider; nothing of that library is seen anywhere else.
 */
public interface MachineApi {
  /** Every machine of the account. */
  List<Machine> machines() throws ApiException;

  /** Those of these machines that exist. */
  List<Machine> machines(Set<String> ids) throws ApiException;

  /** Every network of the account. */
  List<Network> networks() throws ApiException;

  /** Adds so many addresses of the machine's network to its interface, or none. */
  AddressSet add(String machineId, int count) throws ApiException;

  /** Takes these addresses from the machine's interface; those it does not hold are ignored. */
  void remove(String machineId, AddressSet addresses) throws ApiException;

  /**
   * A machine with its one interface.
   *
   * @param networkId where its addresses come from
   * @param addresses for pods
   * @param limit how many of them the interface can hold
   */
  record Machine(String id, String networkId, AddressSet addresses, int limit) {}

  /**
   * A network.
   *
   * @param free addresses that nobody holds
   */
  record Network(String id, int free) {}

  /** The API refused a request; nothing changed. */
  final class ApiException extends Exception {
    private static final long serialVersionUID = 1L;

    /** The reason in the API's answer. */
    final Reason reason;

    /** The reason in the API's answer, and its meaning for the engine. */
    public enum Reason {
      TOO_MANY_REQUESTS(Failure.Kind.THROTTLED),
      NO_FREE_ADDRESS(Failure.Kind.CAPACITY),
      LIMIT_REACHED(Failure.Kind.CAPACITY),
      NO_SUCH_MACHINE(Failure.Kind.NOT_FOUND),
      MACHINE_STOPPED(Failure.Kind.NOT_RUNNING),
      FORBIDDEN(Failure.Kind.CONFIGURATION),
      INTERNAL(Failure.Kind.TRANSIENT);

      final Failure.Kind kind;

      Reason(Failure.Kind kind) {
        this.kind = kind;
      }
    }

    public ApiException(Reason reason, String message) {
      super(reason + ": " + message);
      this.reason = reason;
    }
  }
}
