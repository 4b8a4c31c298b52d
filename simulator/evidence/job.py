"""What is known of a job beside its steps."""

from collections.abc import Mapping
from dataclasses import dataclass

from simulator.evidence.options import Options


@dataclass(frozen=True, slots=True)
class Job:
    """What is known of a job beside its steps: told by the user, or printed as arguments."""

    options: Options
    settings: Mapping[str, float]

    @property
    def sequence(self) -> float | None:
        return self.options.sequence or self.settings.get("sequence")

    @property
    def batch(self) -> float | None:
        return self.settings.get("batch")

    @property
    def devices(self) -> float | None:
        """Devices of the whole job."""
        if self.options.instances and self.options.devices_per_instance:
            return float(self.options.instances * self.options.devices_per_instance)
        return self.settings.get("devices")

    @property
    def instances(self) -> float | None:
        if self.options.instances:
            return float(self.options.instances)
        devices = self.settings.get("devices")
        if devices and self.options.devices_per_instance:
            return devices / self.options.devices_per_instance
        return self.settings.get("instances")
